#include "posterior/mutant_edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace hmmlt::testing {

namespace {

Sweep::iterator find(Sweep& sweep, std::string_view name) {
    const auto found = std::find_if(sweep.begin(), sweep.end(), [&](const Block& block) { return block.name == name; });
    if (found == sweep.end()) throw std::logic_error(fmt::format("the sweep has no block {}", name));
    return found;
}

void set_lengths(GewekeDesign& design, const std::vector<arma::uword>& lengths) {
    design.sequences = Sequences::of_lengths(lengths);
    design.missing_cells.clear();
}

}  // namespace

Change replace(std::string_view name, BlockFunction block) {
    return [=](Sweep& sweep) { find(sweep, name)->run = block; };
}

// An additional block draws from a stream that the library does not use.
Change insert_after(std::string_view name, std::vector<BlockFunction> blocks) {
    return [=](Sweep& sweep) {
        auto position = find(sweep, name) + 1;
        std::uint32_t id = 200;
        for (const BlockFunction& block : blocks)
            position = sweep.insert(position, {static_cast<StreamBlock>(id++), "inserted", block}) + 1;
    };
}

Change move_before(std::string_view name, std::string_view before) {
    return [=](Sweep& sweep) {
        const Block block = *find(sweep, name);
        sweep.erase(find(sweep, name));
        sweep.insert(find(sweep, before), block);
    };
}

Change both(Change first, Change second) {
    return [=](Sweep& sweep) { first(sweep), second(sweep); };
}

void precise_data(GewekeDesign& design) {
    std::get<LinearGaussianSpec>(design.model.emission).h.assign(2, {2.0, 0.2});
}

void one_long_sequence(GewekeDesign& design) {
    set_lengths(design, {12});
}

void many_jumps_between_states(GewekeDesign& design) {
    one_long_sequence(design);
    design.model.similarity = LaplacianSimilarity{1.0};
    design.model.gamma = 5.0;
    design.model.c = 5.0;
    design.model.rho = 0.2;
}

void clear_directions(GewekeDesign& design) {
    set_lengths(design, {20});
    design.model.similarity = FactorialLimitSimilarity{{0.4, 0.4}};
    design.model.emission = CategoricalSpec::symmetric(3, 0.7);  // only transitions speak about the bits
    design.model.gamma = 10.0;
    design.model.c = 10.0;
    design.model.rho = 0.0;
}

void clear_directions_of_stays(GewekeDesign& design) {
    clear_directions(design);
    design.model.rho = 0.7;
}

void jumps_through_noise(GewekeDesign& design) {
    set_lengths(design, {20});
    design.model.n_states = 6;
    design.model.similarity = LaplacianSimilarity{0.8};
    design.model.gamma = 20.0;
    design.model.c = 20.0;
    std::get<LinearGaussianSpec>(design.model.emission).h.assign(2, {3.0, 300.0});
}

void starts_only(GewekeDesign& design) {
    set_lengths(design, {1, 1, 1, 1});
    design.model.n_states = 6;
    design.model.gamma = 10.0;
    design.model.c = GammaPrior{2.0, 1.0};
}

void many_clear_steps(GewekeDesign& design) {
    set_lengths(design, {16});
    design.model.gamma = 5.0;
    design.model.c = 5.0;
    if (!is_fixed(design.model.rho)) design.model.rho = 0.5;
    std::get<GaussianSpec>(design.model.emission).channels.assign(2, {.m = 0.5, .k = 0.05, .a = 5.0, .b = 2.0});
}

void four_steps(GewekeDesign& design) {
    set_lengths(design, {4});
    design.model.c = 10.0;
    design.model.rho = 0.0;
}

void fixed_concentrations(GewekeDesign& design) {
    set_lengths(design, {5});
    design.model.gamma = 5.0;
    design.model.c = 4.0;
    design.model.rho = 0.1;
    design.model.locations = EuclideanLocations{.n_dims = 2, .n_leapfrog = 10, .initial_step_size = 0.3};
}

// Missing cells become zeros in every block of `single` that reads the data.
void fill_missing(Sweep& sweep) {
    for (const std::string_view name : {"states", "locations", "emission"})
        find(sweep, name)->run = with_zeros_for_missing(find(sweep, name)->run);
}

}  // namespace hmmlt::testing
