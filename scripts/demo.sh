#!/usr/bin/env bash
# Installs what is missing, builds Sinew and runs an example on two ranks:
#
#   scripts/demo.sh [--example NAME] [--ranks N]
#
# NAME is a folder of examples/ (default slider-crank). The results stay in build/demo/NAME.
set -euo pipefail
source "$(dirname "$0")/common.sh"

example=slider-crank
ranks=2

usage() {
  sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p}' "$0"
}

read_arguments() {
  while (($# > 0)); do
    case $1 in
      --example) example=${2:?--example needs a name}; shift ;;
      --ranks) ranks=${2:?--ranks needs a number}; shift ;;
      -h | --help) usage; exit 0 ;;
      *) echo "demo: unknown argument $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
  done
  model=$root/examples/$example/model.yaml
  if [[ ! -f $model ]]; then
    echo "demo: there is no $model; the examples are: $(cd "$root/examples" && echo */)" >&2
    exit 2
  fi
}

main() {
  local sinew=$build/bin/sinew output=$root/build/demo/$example pictures
  read_arguments "$@"
  "$root/scripts/setup.sh"
  echo "demo: building Sinew in build/release"
  configure -DSINEW_WERROR=OFF
  cmake --build "$build" --parallel "$(job_count)" --target sinew_command
  mkdir -p "$(dirname "$output")"
  echo "demo: running examples/$example/model.yaml on $ranks ranks"
  mpirun --oversubscribe -n "$ranks" "$sinew" run "$model" -o "$output"
  "$sinew" plot "$output"
  mapfile -t pictures < <(find "$output" -name '*.png' | sort)
  if ((${#pictures[@]} == 0)); then
    echo "demo: sinew plot left no picture in $output" >&2
    exit 1
  fi
  printf 'demo: picture %s\n' "${pictures[@]}"
}

main "$@"
