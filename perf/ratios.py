#!/usr/bin/env python3
"""Keeps the ratios of measurements, and says when one has become worse.

    python3 perf/ratios.py check RESULT.json [...] [--record perf/results/ratios.json] [--tolerance 0.1]
    python3 perf/ratios.py keep RESULT.json [...] [--record perf/results/ratios.json]

Times do not carry over from one machine to another, ratios of two sides that were measured in one run nearly do: SOI2 over
index-3 (step_cost.py), parallel efficiencies (scaling_study.py, predictions.py), Exudyn over Sinew (peers.py). `keep` writes
those of the results into the record, `check` compares and ends with exit code 1 if one is worse than the record by more than
the tolerance, relative. A ratio that has become better is said too: keep it.
"""

import argparse
import json
import sys
from pathlib import Path

RECORD = Path(__file__).resolve().parent / "results" / "ratios.json"


def of_step_cost(result):
    done = [c for c in result["cases"] if "failed" not in c]
    return {f"{c['case']}: SOI2 over index-3": (c["ratio_median_of_pairs"], "lower") for c in done}


def of_scaling(result):
    name = f"{result['case']}, {result['kind']}, {result['points'][0]['unknowns']} unknowns at first"
    return {f"{name}: efficiency on {p['ranks']} ranks": (p["efficiency"], "higher") for p in result["points"][1:]}


def of_peers(result):
    return {f"{c['case']}: {name}": (ratio["median"], "higher")
            for c in result["cases"] for name, ratio in c["ratios"].items()}


def of_predictions(result):
    return {f"{c['case']}: predicted efficiency on {c['ranks']} ranks": (c["efficiency"], "higher") for c in result["cases"]}


KINDS = {"step cost": of_step_cost, "scaling": of_scaling, "peers": of_peers, "predictions": of_predictions}


def ratios_of(file):
    """Name of every ratio in a result: its value and which direction is better."""
    result = json.loads(Path(file).read_text())
    kind = result.get("study")
    if kind not in KINDS:
        print(f"left out {file}: results with ratios are those of {', '.join(KINDS)}")
        return {}
    return {f"{kind}: {name}": value for name, value in KINDS[kind](result).items()}


def keep(options, record):
    for file in options.results:
        for name, (value, better) in ratios_of(file).items():
            record[name] = {"ratio": round(value, 4), "better": better, "from": Path(file).name}
    options.record.write_text(json.dumps(dict(sorted(record.items())), indent=2) + "\n")
    print(f"{len(record)} ratios in {options.record}")
    return 0


def check(options, record):
    worse = 0
    for file in options.results:
        for name, (value, better) in ratios_of(file).items():
            if name not in record:
                print(f"new      {name}: {value:.3f}")
                continue
            kept = record[name]["ratio"]
            gain = value / kept - 1 if better == "higher" else kept / value - 1
            verdict = "worse" if gain < -options.tolerance else "better" if gain > options.tolerance else "same"
            worse += verdict == "worse"
            print(f"{verdict:8} {name}: {value:.3f}, kept {kept:.3f}")
    return 1 if worse else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "keep"])
    parser.add_argument("results", nargs="+", metavar="RESULT.json")
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--tolerance", type=float, default=0.1, help="relative; pairs repeat to some 5 %% on a busy machine")
    options = parser.parse_args()
    record = json.loads(options.record.read_text()) if options.record.is_file() else {}
    return {"keep": keep, "check": check}[options.command](options, record)


if __name__ == "__main__":
    sys.exit(main())
