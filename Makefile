# The two commands of the README are `make run` and `make test`.

SWIFT_BUILD = swift build -c release --static-swift-stdlib --explicit-target-dependency-import-check error
SUREFOOT = .build/release/surefoot

# Packages of Debian 12: what the build needs, what the tests need, what the wider tests need.
BUILD_PACKAGES = pkg-config zlib1g-dev libgps-dev
TEST_PACKAGES = $(BUILD_PACKAGES) gpsd gpsd-clients gpsbabel libxml2 libxml2-utils libproj-dev \
	python3-gpxpy python3-numpy
WIDE_PACKAGES = $(TEST_PACKAGES) tmux
SOAK_PACKAGES = $(TEST_PACKAGES) valgrind binutils

.PHONY: run test test-all soak lint bench build clean toolchain \
	build-packages test-packages wide-packages soak-packages test-data

run: build
	@packaging/first-run.sh $(SUREFOOT)

build: toolchain build-packages
	$(SWIFT_BUILD)

test: toolchain test-packages lint build test-data
	SUREFOOT_GPX_SCHEMA=$(CURDIR)/.build/test-data/gpx11.xsd SUREFOOT_BINARY=$(CURDIR)/$(SUREFOOT) \
		swift test --explicit-target-dependency-import-check error
	Tests/Fuzz/fuzz.sh 40000

test-all: wide-packages test

soak: toolchain soak-packages build test-data
	SUREFOOT_SOAK=1 SUREFOOT_GPX_SCHEMA=$(CURDIR)/.build/test-data/gpx11.xsd \
		SUREFOOT_BINARY=$(CURDIR)/$(SUREFOOT) swift test --filter Soak
	Tests/Fuzz/fuzz.sh 10000000

lint: toolchain
	swift format lint --strict --recursive Package.swift Sources Tests
	@! grep -rnE '^ *(@_exported )?(public |package |internal )?import Foundation' Sources \
		|| { echo 'Foundation is imported above: the program does without it.'; exit 1; }

bench: toolchain build-packages build
	@test -n "$$SUREFOOT_CORPUS" || { echo 'Set SUREFOOT_CORPUS to the folder that holds bench/.'; exit 1; }
	python3 "$$SUREFOOT_CORPUS/bench/throughput/throughput.py" $(SUREFOOT) --rounds 5

clean:
	rm -rf .build

test-data:
	Tests/support/gpx-schema.sh .build/test-data

toolchain:
	@command -v swift > /dev/null || { echo 'There is no Swift toolchain: install Swift 6.3 or later from https://www.swift.org/install/linux/ and put it on the PATH.'; exit 1; }

build-packages:
	@packaging/install-packages.sh $(BUILD_PACKAGES)

test-packages:
	@packaging/install-packages.sh $(TEST_PACKAGES)

soak-packages:
	@packaging/install-packages.sh $(SOAK_PACKAGES)

wide-packages:
	@packaging/install-packages.sh $(WIDE_PACKAGES)
