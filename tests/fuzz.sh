#!/usr/bin/env bash
# Feeds changed texts to everything that reads what others wrote: an hour, or as many seconds as are named.
# A finding is named by its seed: ASYNCPROBE_FUZZ_SEED=<seed> tests/fuzz.sh 1 finds it again.
set -euo pipefail
cd "$(dirname "$0")/.."
export ASYNCPROBE_FUZZ_SECONDS="${1:-3600}"
export ASYNCPROBE_FUZZ_SEED="${ASYNCPROBE_FUZZ_SEED:-$((RANDOM * 32768 + RANDOM))}"
echo "seed $ASYNCPROBE_FUZZ_SEED, $ASYNCPROBE_FUZZ_SECONDS s"
dotnet test tests/AsyncProbe.Cli.Tests --filter FullyQualifiedName~FuzzTests --logger "console;verbosity=detailed"
