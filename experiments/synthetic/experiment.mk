# Data without local transitions: does LT pretend to see some? README.md says what is asked and found.
synthetic_data = datasets/synthetic/prepared/$(2)
synthetic_models := hdp_hmm sticky lt sticky_lt factorial
synthetic_seed := 1
synthetic_chains := 0 1 2 3 4 5 6 7 8 9
synthetic_demo_chains := 0 1
synthetic_paper_sweeps := 2000
synthetic_demo_sweeps := 300
synthetic_demo_set := model.n_states=60 run.burn_in=100
