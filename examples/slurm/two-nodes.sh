#!/usr/bin/env bash
# A run on two nodes, each to itself: `sbatch examples/slurm/two-nodes.sh --quick`, from the checkout, with any options of
# `bench run`. Load generator and driver are on the first node, which is where Slurm starts this script; the servers are
# on the second, at the address the two share.
#
# Slurm may give a job fewer CPUs than the node has: what the agent may use there is read back and stands in the results.
#SBATCH --job-name=levelfield
#SBATCH --nodes=1 --ntasks=1 --exclusive
#SBATCH hetjob
#SBATCH --nodes=1 --ntasks=1 --exclusive
set -euo pipefail
cd "${SLURM_SUBMIT_DIR:?sbatch starts this}"
# A step gets the CPUs it asks for, no more: all of them, and the agent binds what it starts.
servers="srun --het-group=1 --nodes=1 --ntasks=1 --exact --cpus-per-task=$SLURM_CPUS_ON_NODE --cpu-bind=none"
exec bin/bench run --yes --server-host "$servers" --server-address "${LEVELFIELD_SERVER_ADDRESS:-auto}" "$@"
