#!/usr/bin/env bash
# The same plan on many nodes, each to itself, a run for each:
#
#   bin/bench run --quick --dry-run --json >plan.json
#   sbatch --array=0-9 examples/slurm/every-node.sh plan.json
#   bin/bench report results-of-nodes/*/*
#
# A task of the array is a node of its own; runs come to results-of-nodes, in a folder for each task.
#SBATCH --job-name=levelfield
#SBATCH --nodes=1 --ntasks=1 --exclusive
set -euo pipefail
cd "${SLURM_SUBMIT_DIR:?sbatch starts this}"
export LEVELFIELD_RESULTS="$PWD/results-of-nodes/$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID-$SLURMD_NODENAME"
LEVELFIELD_DATA=$(mktemp -d "${TMPDIR:-/tmp}/levelfield-data-XXXXXXXX")
export LEVELFIELD_DATA
trap 'rm -rf "$LEVELFIELD_DATA"' EXIT
bin/bench run --yes --plan "${1:?name the plan}"
