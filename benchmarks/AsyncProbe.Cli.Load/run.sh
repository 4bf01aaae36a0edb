#!/bin/sh
# Is asyncprobe the bottleneck, and are its figures right? Compares it with wrk and hey on one machine, in turn, and writes
# benchmarks/results/cli-load.md. The server has one core, the tools the other. Needs wrk, hey and taskset. About four minutes.
set -eu
cd "$(dirname "$0")/../.."

port=${PORT:-21180}
rounds=${ROUNDS:-3}
seconds=${SECONDS_EACH:-5}
url=http://127.0.0.1:$port
out=$(mktemp -d)
result=${RESULT:-benchmarks/results/cli-load.md}

dotnet build -c Release src/AsyncProbe.Cli -v q --nologo
dotnet build -c Release benchmarks/AsyncProbe.Cli.Load -v q --nologo
tool=src/AsyncProbe.Cli/bin/Release/net10.0/asyncprobe
taskset -c 0 benchmarks/AsyncProbe.Cli.Load/bin/Release/net10.0/AsyncProbe.Cli.Load --urls "$url" &
server=$!
trap 'kill $server; rm -rf "$out"' EXIT
sleep 2

# The first field of that name in a JSON result; the totals stand before everything else.
field() { sed -n "s/.*\"$2\": \([0-9.]*\).*/\1/p" "$1" | head -n 1; }
median() { sort -n | awk '{ a[NR] = $1 } END { print (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2 }'; }
client() { taskset -c 1 "$@"; }
probe() { client "$tool" run "$@" --probe off --quiet --json; }

{
    echo "# asyncprobe beside wrk and hey"
    echo
    echo "$(nproc) cores, $(uname -sm), .NET $(dotnet --version); the server on one core, the tools on the other. Medians of $rounds rounds of ${seconds} s, in turn; made by"
    echo "\`benchmarks/AsyncProbe.Cli.Load/run.sh\`. Read the ratios, not the absolute figures."
    echo
    echo "## Throughput on an endpoint that does nothing"
    echo
    echo "| connections | wrk, req/s | hey, req/s | asyncprobe, req/s | of wrk | of hey |"
    echo "|---:|---:|---:|---:|---:|---:|"
} > "$result"

client wrk -t1 -c32 -d3s "$url/plain" > /dev/null
for connections in 16 64 256; do
    : > "$out/wrk"; : > "$out/hey"; : > "$out/probe"
    for round in $(seq "$rounds"); do
        client wrk -t1 -c"$connections" -d"${seconds}s" "$url/plain" | sed -n 's/Requests\/sec: *//p' >> "$out/wrk"
        client hey -z "${seconds}s" -c "$connections" "$url/plain" | sed -n 's/ *Requests\/sec:[^0-9]*//p' >> "$out/hey"
        probe "$url/plain" -t "$connections" -s "$seconds" -w 1 > "$out/json"
        field "$out/json" requestsPerSecond >> "$out/probe"
    done
    awk -v c="$connections" -v w="$(median < "$out/wrk")" -v h="$(median < "$out/hey")" -v p="$(median < "$out/probe")" \
        'BEGIN { printf "| %d | %d | %d | %d | %.2f | %.2f |\n", c, w, h, p, p / w, p / h }' >> "$result"
done

{
    echo
    echo "## Agreement with hey, 50 connections on an endpoint that takes 50 ms"
    echo
    echo "| | hey | asyncprobe | ratio |"
    echo "|---|---:|---:|---:|"
} >> "$result"
client hey -z 10s -c 50 "$url/delay/50" > "$out/hey"
probe "$url/delay/50" -t 50 -s 10 -w 1 > "$out/json"
row() { awk -v n="$1" -v h="$2" -v p="$3" 'BEGIN { printf "| %s | %.1f | %.1f | %.3f |\n", n, h, p, p / h }' >> "$result"; }
heyms() { sed -n "s/ *$1 in \([0-9.]*\) secs.*/\1/p" "$out/hey" | awk '{ print $1 * 1000 }'; }
row "requests a second" "$(sed -n 's/ *Requests\/sec:[^0-9]*//p' "$out/hey")" "$(field "$out/json" requestsPerSecond)"
row "mean, ms" "$(sed -n 's/ *Average:[^0-9]*\([0-9.]*\).*/\1/p' "$out/hey" | awk '{ print $1 * 1000 }')" "$(field "$out/json" meanMs)"
row "p50, ms" "$(heyms 50%)" "$(field "$out/json" p50Ms)"
row "p95, ms" "$(heyms 95%)" "$(field "$out/json" p95Ms)"
row "p99, ms" "$(heyms 99%)" "$(field "$out/json" p99Ms)"

probe "$url/plain" --rate 1000 -s 10 -w 2 > "$out/open"
probe "$url/known" --rate 200 -s 10 -w 2 > "$out/known"
{
    echo
    echo "## Open model"
    echo
    echo "| | figure |"
    echo "|---|---:|"
    echo "| 1,000 planned a second on the endpoint that does nothing: p50 from the planned start, ms | $(field "$out/open" p50Ms) |"
    echo "| the same, p99: the tool's and the server's time together, ms | $(field "$out/open" p99Ms) |"
    echo "| p99 send lag (planned start to send), ms | $(field "$out/open" sendLagP99Ms) |"
    echo "| late starts (more than 2 ms) of $(field "$out/open" requests) | $(field "$out/open" lateStarts) |"
    echo "| delays known by construction, 20 ms and every tenth 300: p50, ms | $(field "$out/known" p50Ms) |"
    echo "| the same, p99, ms | $(field "$out/known" p99Ms) |"
} >> "$result"

probe "$url/delay/1000" -t 2000 -s 20 -w 2 > "$out/many"
{
    echo
    echo "## 2,000 threads for 20 s on an endpoint that takes a second"
    echo
    echo "| | figure |"
    echo "|---|---:|"
    echo "| requests a second | $(field "$out/many" requestsPerSecond) |"
    echo "| failed | $(field "$out/many" failed) |"
    echo "| p99, ms | $(field "$out/many" p99Ms) |"
    echo "| most memory of the tool, MB | $(awk -v b="$(field "$out/many" peakMemoryBytes)" 'BEGIN { printf "%.0f", b / 1e6 }') |"
} >> "$result"
cat "$result"
