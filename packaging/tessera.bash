# SPDX-License-Identifier: MIT
# Completion of tessera's commands and options in bash, as the program itself names them.
_tessera() {
  local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command=() i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -* ]]; then break; fi
    command+=("${COMP_WORDS[i]}")
    # Below generate there are kinds of images; below all others, files.
    if [[ ${COMP_WORDS[1]} != generate ]]; then break; fi
  done
  local help
  help=$("$program" "${command[@]}" --help 2>/dev/null) || return
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(grep -oE '^ +-[^ ]+' <<<"$help" | tr ', ' '\n\n')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$(sed -n '/^Subcommands:/,$s/^  \([a-z-]*\)[ ,].*/\1/p' <<<"$help")" -- "$word")
    if [[ ${#COMPREPLY[@]} == 0 ]]; then mapfile -t COMPREPLY < <(compgen -f -- "$word"); fi
  fi
}
complete -o filenames -F _tessera tessera
