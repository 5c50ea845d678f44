/**
 * Generates completion scripts for bash, zsh and fish from the list of verbs. A context is a path of verbs, such as
 * `orders list`; the scripts only look up the candidates of the context that the typed words lead to.
 */
import { type FlagRow, listedVerbs, type Verb } from '../../../terminal/cli/verb.ts'
import { shellQuoted } from '../../../core/traffic/curl-command.ts'

export interface CompletionContext {
  /** The path of verbs: empty, `orders`, `orders list`. */
  readonly path: string
  readonly candidates: readonly { readonly word: string; readonly summary: string }[]
  /** The flags that take a value, and its choices; an empty list allows any value. */
  readonly valueFlags: readonly {
    readonly flags: readonly string[]
    readonly choices: readonly string[]
    /** Its value may name a file as well. */
    readonly takesFiles: boolean
  }[]
}

const namesOf = ({ name, short }: FlagRow): readonly string[] => [
  `--${name}`,
  ...(short ? [`-${short}`] : []),
]

function flagValuesOf(flag: FlagRow): CompletionContext['valueFlags'][number] {
  const choices = flag.choices ?? flag.suggestions ?? []
  const takesFiles = choices.length === 0 || (flag.choices && flag.path) !== undefined
  return { flags: namesOf(flag), choices, takesFiles }
}

function contextsOf(verb: Verb, path: string): readonly CompletionContext[] {
  const here: CompletionContext = {
    path,
    candidates: [
      ...listedVerbs(verb).map(({ name, summary }) => ({ word: name, summary })),
      ...verb.arguments.flatMap(({ suggestions = [], choices = suggestions, summary }) =>
        choices.map((word) => ({ word, summary })),
      ),
      ...verb.flags.flatMap((flag) =>
        namesOf(flag).map((word) => ({ word, summary: flag.summary })),
      ),
      { word: '--help', summary: 'display help' },
    ],
    valueFlags: verb.flags.flatMap((flag) => (flag.value ? [flagValuesOf(flag)] : [])),
  }
  return [here, ...verb.verbs.flatMap((inner) => contextsOf(inner, `${path} ${inner.name}`))]
}

/** All contexts, the outermost first. */
export const completionContexts = (verbs: readonly Verb[]): readonly CompletionContext[] => [
  {
    path: '',
    candidates: [
      ...verbs.map(({ name, summary }) => ({ word: name, summary })),
      { word: '--help', summary: 'display help' },
      { word: '--version', summary: 'output the version number' },
    ],
    valueFlags: [],
  },
  ...verbs.flatMap((verb) => contextsOf(verb, verb.name)),
]

const wordsOf = ({ candidates }: CompletionContext): string =>
  candidates.map(({ word }) => word).join(' ')

/** The paths that change the context; all other words on the line leave it unchanged. */
const contextPaths = (contexts: readonly CompletionContext[]): readonly string[] =>
  contexts.filter(({ path }) => path !== '').map(({ path }) => path)

/** The `case` branches of bash and zsh that resolve the words typed so far to a context. */
const contextCases = (contexts: readonly CompletionContext[]): string =>
  contextPaths(contexts)
    .map((path) => `      ${shellQuoted(path)}) place=${shellQuoted(path)} ;;`)
    .join('\n')

export function bashScript(contexts: readonly CompletionContext[]): string {
  const values = contexts.flatMap(({ path, valueFlags }) =>
    valueFlags.flatMap(({ flags, choices, takesFiles }) =>
      flags.map(
        (flag) =>
          `    ${shellQuoted(`${path} ${flag}`)}) words=${shellQuoted(choices.join(' '))}; files=${takesFiles ? 1 : 0} ;;`,
      ),
    ),
  )
  return `# bash completion of sparring. Load it with: source <(sparring completion bash)
_sparring() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local place='' word words='' files=0 index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "\${place:+$place }$word" in
${contextCases(contexts)}
    esac
  done
  case "$place $previous" in
${values.join('\n')}
    *)
      case "$place" in
${contexts.map((place) => `        ${shellQuoted(place.path)}) words=${shellQuoted(wordsOf(place))} ;;`).join('\n')}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if ((files)); then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o default -F _sparring sparring
`
}

export function zshScript(contexts: readonly CompletionContext[]): string {
  const described = ({ candidates }: CompletionContext): string =>
    candidates
      .map(({ word, summary }) => shellQuoted(`${word.replaceAll(':', '\\:')}:${summary}`))
      .join(' ')
  const values = contexts.flatMap(({ path, valueFlags }) =>
    valueFlags.flatMap(({ flags, choices, takesFiles }) =>
      flags.map((flag) =>
        choices.length === 0
          ? `    ${shellQuoted(`${path} ${flag}`)}) _files; return ;;`
          : `    ${shellQuoted(`${path} ${flag}`)}) compadd -- ${choices.map(shellQuoted).join(' ')}${takesFiles ? '; _files' : ''}; return ;;`,
      ),
    ),
  )
  return `#compdef sparring
# zsh completion of sparring. Load it with: source <(sparring completion zsh)
_sparring() {
  local place='' word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place }$word" in
${contextCases(contexts)}
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$place" in
${contexts.map((place) => `    ${shellQuoted(place.path)}) entries=(${described(place)}) ;;`).join('\n')}
  esac
  _describe 'sparring' entries || _files
}
if [[ "\${funcstack[1]}" == _sparring ]]; then _sparring "$@"; else compdef _sparring sparring; fi
`
}

export function fishScript(contexts: readonly CompletionContext[]): string {
  const lines = contexts.flatMap((place) => {
    const condition = `__sparring_at ${shellQuoted(place.path)}`
    const values = new Map(
      place.valueFlags.flatMap(({ flags, ...taken }) => flags.map((flag) => [flag, taken])),
    )
    return place.candidates.map(({ word, summary }) => {
      const name = word.startsWith('--')
        ? `-l ${word.slice(2)}`
        : word.startsWith('-')
          ? `-s ${word.slice(1)}`
          : `-a ${shellQuoted(word)}`
      const { choices, takesFiles } = values.get(word) ?? {}
      const value =
        choices === undefined
          ? ''
          : choices.length === 0
            ? ' -r'
            : ` ${takesFiles ? '-r' : '-x'} -a ${shellQuoted(choices.join(' '))}`
      return `complete -c sparring -n ${shellQuoted(condition)} ${name}${value} -d ${shellQuoted(summary)}`
    })
  })
  return `# fish completion of sparring. Load it with: sparring completion fish | source
function __sparring_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$place $word")
    switch "$next"
      case ${contextPaths(contexts).map(shellQuoted).join(' ')}
        set place "$next"
    end
  end
  test "$place" = "$argv[1]"
end
complete -c sparring -f
${lines.join('\n')}
`
}
