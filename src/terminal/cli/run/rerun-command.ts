/** The shell command that reruns one run: same file, title, seed and subject. */
import { displayText } from '../../../core/traffic/redaction/display.ts'
import { hasControls, replaceControls } from '../../../core/traffic/escape-controls.ts'
import type { PlannedRun } from './plan.ts'
import type { RunOptions } from './run-flags.ts'
import { shellQuoted } from '../../../core/traffic/curl-command.ts'

const isPlain = (text: string): boolean => /^[\w@%+=:,./-]+$/.test(text)

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  "'": "\\'",
  '\\': '\\\\',
}

const escaped = (character: string): string =>
  escapes[character] ??
  [...new TextEncoder().encode(character)]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('')

/** Quotes a text as one shell word on one line, with control characters escaped. */
export function shellWord(text: string): string {
  if (isPlain(text)) return text
  if (hasControls(text)) return `$'${replaceControls(text.replaceAll(/['\\]/g, escaped), escaped)}'`
  return shellQuoted(text)
}

/** Flags that are copied to the command: the subject, and how it is played against. */
const copiedFlags = [
  'config',
  'subject',
  'as',
  'start',
  'replicas',
  'channel',
  'dialect',
  'speed',
  'clock',
  'port',
  'host',
  'orders-every',
  'wait-for-subject',
] as const

/** The words of the flags that a command against the same subject has, without the secrets of its URLs. */
export function copiedFlagWords(
  options: Pick<
    RunOptions,
    (typeof copiedFlags)[number] | 'tls' | 'contract' | 'require-exercised'
  >,
) {
  const words: string[] = []
  for (const name of copiedFlags) {
    const value = options[name]
    if (value !== undefined) words.push(`--${name}`, displayText(String(value)))
  }
  for (const contract of options.contract ?? []) words.push('--contract', contract)
  for (const name of ['tls', 'require-exercised'] as const)
    if (options[name]) words.push(`--${name}`)
  return words
}

/** The common prefix of the titles. */
function commonPrefix(titles: readonly string[]): string {
  const [first = '', ...others] = titles
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

/** Title prefix and seed that select a run together with the runs of its group, which it is compared with. */
function selectGroup({ loaded, repetition, seed }: PlannedRun, planned: readonly PlannedRun[]) {
  const sameFile = planned.filter(
    (each) => each.loaded.file === loaded.file && each.repetition === repetition,
  )
  const group = sameFile.filter((each) => each.loaded.run.group === loaded.run.group)
  const prefix = commonPrefix(group.map((each) => each.loaded.run.title))
  // Without a seed in the scenario, seeds count up from that of the first selected run.
  const first = sameFile.find((each) => each.loaded.run.title.includes(prefix))
  const hasOwnSeed = loaded.run.seed !== undefined && loaded.run.seed === seed
  return { title: prefix, seed: hasOwnSeed ? undefined : first?.seed }
}

/** `planned`, all runs, is set when the run failed only in comparison with the others of its group. */
export function rerunCommand(
  one: PlannedRun,
  options: RunOptions,
  planned?: readonly PlannedRun[],
): string {
  const { file, run } = one.loaded
  const { title, seed } = planned ? selectGroup(one, planned) : { title: run.title, seed: one.seed }
  // A name that begins like a flag would be taken for one.
  const words = ['sparring', 'run', file.startsWith('-') ? `./${file}` : file, '--grep', title]
  if (seed !== undefined) words.push('--seed', String(seed))
  words.push(...copiedFlagWords(options))
  for (const fault of options.fault ?? []) words.push('--fault', fault)
  return words.map(shellWord).join(' ')
}
