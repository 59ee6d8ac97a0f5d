"""Modules without a test file of their own name, and test files that belong to no single module.

`ELSEWHERE` has, by reason, each module with the file that tests it. That file imports the
module, names one of its entries, or imports a module that does (`test_mirror.py` looks).
`ACROSS_MODULES` has the files in the rooms' folders whose subject is no one module.
"""

from __future__ import annotations

ELSEWHERE: dict[str, dict[str, str]] = {
    "part of the studio, held by what its pages show": {
        "studio/request.py": "studio/test_application.py",
        "studio/explored.py": "studio/pages/test_compare.py",
        "studio/hierarchies.py": "studio/pages/test_hierarchy.py",
        "studio/outcomes.py": "studio/pages/test_protect.py",
        "studio/pages/jobs.py": "studio/test_jobs.py",
        "studio/presets.py": "studio/pages/test_protect.py",
        "studio/rendering.py": "studio/test_application.py",
        "studio/replies.py": "studio/test_application.py",
        "studio/risk_now.py": "studio/pages/test_risk.py",
        "studio/same_elsewhere.py": "studio/pages/test_plan.py",
        "studio/serving.py": "cli/test_studio.py",
        "studio/state.py": "studio/test_work.py",
        "studio/plan_data.py": "studio/test_work.py",
        "studio/tasks.py": "studio/test_jobs.py",
        "studio/telling.py": "studio/test_jobs.py",
        "studio/texts/__init__.py": "studio/test_application.py",
        "studio/uploading.py": "studio/pages/test_start.py",
        "studio/job_process.py": "studio/test_jobs.py",
    },
    "what a method passed over, held by the method and by the attack that uses it": {
        "contracts/passed_over.py": "measures/test_possible_worlds.py",
    },
    "one way of linking, held by what all of them promise and by the strongest": {
        **{
            f"measures/attack/{way}_linkage.py": "measures/linkage/test_attempt.py"
            for way in ("difference", "imitation", "learned", "nearest", "rank")
        },
        "measures/attack/rank_window_linkage.py": "measures/linkage/test_attempt.py",
        "measures/linkage/differences.py": "measures/risk/test_strongest_linkage.py",
        "measures/linkage/imitation.py": "measures/risk/test_strongest_linkage.py",
        "measures/linkage/lessons.py": "measures/risk/test_strongest_linkage.py",
    },
    "the success of an attack, which is tested by itself": {
        f"measures/risk/{name}.py": "measures/test_by_attack.py"
        for name in (
            "homogeneity",
            "inference",
            "linkability",
            "membership",
            "minimality",
            "singling_out",
            "suppressed_cells",
        )
    },
    "part of protecting on the disk, held by a release that is the one made in memory": {
        **{
            f"scaling/{part}.py": "scaling/test_protecting.py"
            for part in ("leaving", "microaggregating", "publishing", "writing_parts")
        },
        "methods/nonperturbative/full_domain/decided.py": "scaling/test_stepping.py",
        "publishing/parts.py": "scaling/test_protecting.py",
        "scaling/labelling.py": "scaling/test_strata.py",
        "scaling/on_households.py": "scaling/test_by_household.py",
        "scaling/engine.py": "scaling/test_cutting.py",
        "scaling/stepped.py": "scaling/test_by_blocks.py",
        "scaling/store.py": "scaling/test_storing.py",
        "scaling/treating.py": "scaling/test_stepping.py",
    },
    "one system of databases, held by what a new table in any of them is": {
        f"io/into/{system}.py": "io/into/test_target.py"
        for system in ("duckdb", "postgresql", "sqlite")
    },
    "two files of one plan, held by their release": {
        "release/plan_files.py": "publishing/test_written_files.py",
    },
    "the keys of a plan, held by what plans say and refuse": {
        "release/plan_parts.py": "release/test_plan.py",
    },
    "part of the formats, held by what they read and write": {
        "io/released_as.py": "io/kinds/test_r.py",
        "io/sheet_write.py": "io/kinds/test_excel.py",
        "io/sql.py": "io/kinds/test_sqlite.py",
    },
    "the door of a package, tested with the public names": {
        "__init__.py": "architecture/test_public_names.py",
        "measures/attack/__init__.py": "architecture/test_public_names.py",
        "microaggregation/partition/__init__.py": "architecture/test_public_names.py",
        "microaggregation/replacement/__init__.py": "architecture/test_public_names.py",
        "datasets/__init__.py": "datasets/test_access.py",
    },
    "declares what others fill in, and does nothing by itself": {
        "contracts/analysis.py": "contract/test_checks_can_fail.py",
        "contracts/replacement.py": "contract/test_checks_can_fail.py",
        "contracts/spec.py": "contract/test_checks_can_fail.py",
    },
    "parameters that several entries share, tested by what those do with them": {
        "methods/nonperturbative/full_domain/options.py": (
            "methods/nonperturbative/test_global_recoding.py"
        ),
        "models/mixture/options.py": "microaggregation/partition/test_gaussian_mixture.py",
        "models/regression_tree/options.py": "methods/perturbative/test_mart.py",
        "models/sequential/options.py": "methods/synthetic/test_sequential_regression.py",
    },
    "a piece of a compiled loop, which runs within that loop only": {
        "kernels/agreement.py": "measures/risk/test_probabilistic_linkage.py",
        "kernels/chances_of_agreement.py": "measures/risk/test_probabilistic_linkage.py",
        "kernels/carried_sums.py": "kernels/test_mdav.py",
        "kernels/mdav_by_scan.py": "kernels/test_mdav.py",
        "kernels/mdav_by_tree.py": "kernels/test_mdav.py",
        "kernels/kdtree.py": "kernels/test_neighbours.py",
        "kernels/kdtree_leaves.py": "kernels/test_neighbours.py",
        "kernels/mdav_ahead.py": "kernels/test_mdav.py",
        "kernels/mdav_front.py": "kernels/test_mdav.py",
        "kernels/vmdav_ahead.py": "kernels/test_vmdav.py",
        "kernels/lanes.py": "kernels/test_neighbours.py",
        "kernels/local_suppression_start.py": "kernels/test_local_suppression.py",
        "kernels/regression_tree_cuts.py": "kernels/test_regression_tree.py",
        "kernels/regression_tree_moves.py": "kernels/test_regression_tree.py",
        "kernels/regression_tree_small.py": "kernels/test_regression_tree.py",
        "kernels/regression_tree_nodes.py": "kernels/test_regression_tree.py",
        "kernels/tree_growing.py": "kernels/test_mst.py",
        "kernels/tree_neighbourhoods.py": "kernels/test_class_restricted_tree.py",
    },
    "the work of one measure or method, compared with a slow twin of the whole": {
        "measures/like_clusters.py": "measures/risk/test_trajectory_k_anonymity.py",
        "measures/linkage/distance.py": "measures/risk/test_distance_linkage.py",
        "measures/linkage/fellegi_sunter.py": "measures/risk/test_probabilistic_linkage.py",
        "measures/intruder.py": "measures/risk/test_regression_attack.py",
        "measures/confidential.py": "measures/risk/test_l_diversity.py",
        "methods/nonperturbative/full_domain/claims.py": (
            "methods/nonperturbative/test_global_recoding.py"
        ),
        "methods/nonperturbative/full_domain/local.py": (
            "methods/nonperturbative/test_local_recoding.py"
        ),
        "methods/nonperturbative/full_domain/recode_until.py": (
            "methods/nonperturbative/test_local_suppression.py"
        ),
        "methods/nonperturbative/given_back_cells.py": (
            "methods/nonperturbative/test_local_suppression.py"
        ),
        "methods/nonperturbative/cells_to_suppress.py": (
            "methods/nonperturbative/test_local_suppression.py"
        ),
        "models/conditional_normal.py": "methods/synthetic/test_ipso.py",
        "models/sequential/assembly.py": "methods/test_cart_against_synthpop.py",
    },
    "a preset, tested side by side with the others of its kind": {
        "methods/perturbative/class_restricted/masking.py": (
            "methods/perturbative/test_camp_crest.py"
        ),
        "methods/perturbative/k_anonymised_crest.py": "methods/perturbative/test_camp_crest.py",
        "methods/perturbative/t_closeness_benchmark.py": "methods/perturbative/test_camp_crest.py",
        "microaggregation/partition/class_restricted_mdav.py": (
            "microaggregation/test_class_restriction.py"
        ),
    },
    "a contract check, tested by components that break the contract": {
        "testing/analyses.py": "contract/test_checks_can_fail.py",
        "testing/attacks.py": "contract/test_checks_can_fail.py",
        "testing/every.py": "contract/test_checks_can_fail.py",
        "testing/measures.py": "contract/test_checks_can_fail.py",
        "testing/methods.py": "contract/test_checks_can_fail.py",
        "testing/partitions.py": "contract/test_checks_can_fail.py",
        "testing/replacements.py": "contract/test_checks_can_fail.py",
    },
    "an analysis as users declare them, measured side by side with the others": {
        "measures/analyses/linear.py": "measures/utility/test_analyses.py",
        "measures/analyses/logistic.py": "measures/utility/test_analyses.py",
        "measures/analyses/mean.py": "measures/utility/test_analyses.py",
        "measures/analyses/numbers.py": "measures/utility/test_analyses.py",
        "measures/analyses/regression.py": "measures/utility/test_analyses.py",
    },
    "a part of a page, which is read and looked at as a whole": {
        "exploring/writing.py": "report/test_ru_map.py",
        "report/binning.py": "report/test_collecting.py",
        "report/components.py": "report/test_collecting.py",
        "report/content.py": "report/test_collecting.py",
        "report/distributions.py": "report/test_collecting.py",
        "report/from_manifest.py": "report/test_public_form.py",
        "report/markup.py": "report/test_html.py",
        "report/plain.py": "report/test_collecting.py",
        "report/records.py": "report/test_collecting.py",
        "report/reproducing.py": "report/test_html.py",
        "report/svg.py": "report/test_trees.py",
    },
}

ACROSS_MODULES: dict[str, str] = {
    "studio/test_browser.py": "the whole studio, in a real browser",
    "studio/test_whole_jobs.py": "the whole studio, in a real browser, on other files",
    "studio/test_killed.py": "the whole studio, killed and started again",
    "datasets/test_access.py": "the package itself",
    "datasets/test_patients.py": "a file of data",
    "datasets/test_script.py": "the script that makes the data",
    "kernels/test_nominal_codes.py": "every kernel that takes codes of categories",
    "measures/test_figures_of_peers.py": "figures that other programs state of their measures",
    "measures/test_weights_count.py": "weights, in every measure of utility",
    "measures/analyses/test_stratified_sample.py": "every analysis of a stratified sample",
    "measures/risk/test_new_categories.py": "a new category, in every linkage and attack",
    "methods/nonperturbative/test_recoded_dates.py": "recoding of dates, in every method that can",
    "methods/perturbative/test_attribute_groups.py": "groups of attributes, in every method",
    "methods/synthetic/test_population_register.py": "a register, from the file to the inference",
    "methods/test_cart_against_synthpop.py": "CART synthesis as another program does it",
    "methods/test_columns_of_dates.py": "every method that takes dates",
    "methods/test_help_is_kept.py": "every parameter of every method",
    "methods/test_kinds_of_the_survey.py": "every method of the survey",
    "methods/test_synthetic_of_the_survey.py": "every synthetic method of the survey",
    "publishing/test_every_format.py": "a release in every format that it can be written in",
    "release/test_subdomains.py": "utility within subdomains, from the command to the page",
}
