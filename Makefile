# Short names for the commands in the README. `make` without a target lists them.
URL ?= http://127.0.0.1:5080

.PHONY: help run postgres load test check changed binaries mutation postman stories
help: ## This list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: ## The sample on http://127.0.0.1:5080, with nothing but the SDK
	dotnet run --project src/AsyncProbe.Sample -- --urls $(URL)

postgres: ## PostgreSQL and the sample on it, in containers
	docker compose up sample

load: ## PostgreSQL, the sample and the sessions against it, in one go
	docker compose up --exit-code-from load load

test: ## The package, the command and the analyzers (the other tests: dotnet test tests/Slow.slnx)
	dotnet test

check: ## The tests of one room, in 40 seconds: make check ROOM=Blocking
	@tests/check $(ROOM)

changed: ## The tests of the rooms that differ from main
	@tests/check --changed

binaries: ## The command as one file that needs no .NET, for Linux and Windows on x64
	dotnet publish src/AsyncProbe.Cli -c Release -r linux-x64 -p:Binary=true -o artifacts/binaries/linux-x64
	dotnet publish src/AsyncProbe.Cli -c Release -r win-x64 -p:Binary=true -o artifacts/binaries/win-x64

mutation: ## Changes the logic in hundreds of ways and counts what the tests notice (an hour)
	tests/mutation/run

postman: ## The Postman collection against a running sample
	cd postman && npm install && npm test -- --env-var baseUrl=$(URL)

stories: ## Measures the stories (about eight minutes) and draws docs/stories
	benchmarks/stories/needs
	benchmarks/stories/run.py build
	for story in values syncvasync customers products backend; do benchmarks/stories/run.py $$story || exit 1; done
	benchmarks/stories/plot.py
