#!/usr/bin/env bash
# Installs what is missing, builds everything and runs the tests:
#
#   scripts/test.sh [arguments of ctest, for example -R so3]
#
# With CI=true in the environment a warning of the compiler is an error.
set -euo pipefail
source "$(dirname "$0")/common.sh"

main() {
  local errors=OFF
  if [[ ${CI-} == true || ${CI-} == 1 ]]; then errors=ON; fi
  "$root/scripts/setup.sh"
  echo "test: building everything in build/release"
  configure -DSINEW_TESTS=ON -DSINEW_WERROR=$errors
  cmake --build "$build" --parallel "$(job_count)" --target all check_headers
  ctest --test-dir "$build" --parallel "$(core_count)" --output-on-failure "$@"
}

main "$@"
