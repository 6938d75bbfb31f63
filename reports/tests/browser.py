"""A page in headless Chromium: what it says to the console, its pictures, and whether it is wider than the window."""

import html
import json
import pathlib
import re
import shutil
import subprocess

# The page stands in frames as wide as a phone and as a desktop; the outer page measures them and writes what it finds.
FRAMES = """<!DOCTYPE html><meta charset="utf-8"><body>
<script>
const widths = WIDTHS, found = {};
const wide = (page, places) => [...page.querySelectorAll(places)].filter(e => e.scrollWidth > e.clientWidth + 1);
const measure = frame => {
  const page = frame.contentDocument, images = [...page.images], figures = new URL("figures/", page.URL).href;
  const sources = [...page.querySelectorAll("[src],link[href]")].map(e => e.src || e.href);
  return {
    overflow: page.documentElement.scrollWidth - page.documentElement.clientWidth,
    images: images.length,
    broken: images.filter(i => !i.complete || i.naturalWidth === 0 || !i.alt).length,
    unmarked: wide(page, ".scroll, .frame").filter(e => !e.classList.contains("more")).length,
    cramped: frame.clientWidth < 700 ? wide(page, ".scroll:has(.cards, .claims)").length : 0,
    hidden: images.filter(i => i.getBoundingClientRect().width < 100).length,
    beside: sources.filter(s => s.startsWith(figures)).length,
    outside: sources.filter(s => !s.startsWith("data:") && !s.startsWith(figures)).length,
    bare: [...page.querySelectorAll("table")].filter(t => !t.querySelector("th[scope=col]")).length,
    dangling: [...page.querySelectorAll("a[href^='#']")].filter(a => !page.getElementById(a.hash.slice(1))).length,
    text: page.body.innerText,
  };
};
for (const width of widths) {
  const frame = document.createElement("iframe");
  frame.style = `border:0;height:900px;width:${width}px`;
  frame.onload = () => setTimeout(() => {  // the page marks what is too wide once it is laid out
    found[width] = measure(frame);
    if (Object.keys(found).length === widths.length) {
      const out = document.createElement("pre");
      out.id = "found";
      out.textContent = JSON.stringify(found);
      document.body.append(out);
    }
  }, 500);
  frame.src = "PAGE";
  document.body.append(frame);
}
</script></body>"""


def look(page: pathlib.Path, scratch: pathlib.Path, widths=(390, 1280)) -> tuple[dict[int, dict], list[str]]:
    """By width what is found in the page; and the console's lines."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        raise AssertionError("the tests of the pages need chromium: make setup installs it")
    frames = scratch / "frames.html"
    frames.write_text(FRAMES.replace("WIDTHS", json.dumps(list(widths))).replace("PAGE", page.resolve().as_uri()))
    command = [
        program,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--allow-file-access-from-files",
        f"--user-data-dir={scratch / 'chromium'}",
        "--enable-logging=stderr",
        "--window-size=1400,1000",
        "--virtual-time-budget=10000",
        "--dump-dom",
        frames.resolve().as_uri(),
    ]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)  # seconds are few on a busy machine
    match = re.search(r'<pre id="found">(.*?)</pre>', result.stdout, re.S)
    if match is None:
        raise AssertionError(f"the page did not load: {result.stderr[-2000:]}")
    found = {int(width): of_width for width, of_width in json.loads(html.unescape(match[1])).items()}
    return found, [line for line in result.stderr.splitlines() if "CONSOLE" in line]


def assert_good_page(case, page: pathlib.Path, scratch: pathlib.Path, self_contained: bool) -> str:
    """Fails the test case unless the page is whole at every width, its pictures inside or all beside; returns its text."""
    found, console = look(page, scratch)
    case.assertEqual(console, [])
    for width, of_width in found.items():
        case.assertGreater(of_width["images"], 0)
        case.assertEqual(of_width["beside"], 0 if self_contained else of_width["images"], f"files at {width} px")
        for what in ("overflow", "broken", "hidden", "outside", "bare", "dangling", "unmarked", "cramped"):
            case.assertEqual(of_width[what], 0, f"{what} at {width} px")
    return found[1280]["text"]
