/** What to type to play one run again: the same file, the same run, the same seed, against the same service. */
import type { Planned } from './plan.ts'
import type { RunOptions } from './run-flags.ts'

const isPlain = (text: string): boolean => /^[\w@%+=:,./-]+$/.test(text)

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  "'": "\\'",
  '\\': '\\\\',
}

const escaped = (letter: string): string =>
  escapes[letter] ??
  [...new TextEncoder().encode(letter)]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('')

/** As a shell takes it for one word; on one line, without letters that a terminal would obey. */
function quoted(text: string): string {
  if (isPlain(text)) return text
  if (/\p{Cc}/u.test(text)) return `$'${text.replaceAll(/[\p{Cc}'\\]/gu, escaped)}'`
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Flags that say against what, and how, in the words of the command line. */
const kept = [
  'config',
  'subject',
  'as',
  'start',
  'channel',
  'dialect',
  'speed',
  'clock',
  'port',
  'host',
  'orders-every',
  'wait-for-subject',
] as const

/** What the titles of runs have in common, from their beginning. */
function commonBeginning(titles: readonly string[]): string {
  const [first = '', ...others] = titles
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

/** The runs that one is held against, and itself: only together can they come out differently. */
function togetherWith({ loaded, repetition, seed }: Planned, planned: readonly Planned[]) {
  const same = planned.filter(
    (each) => each.loaded.file === loaded.file && each.repetition === repetition,
  )
  const group = same.filter((each) => each.loaded.run.group === loaded.run.group)
  const part = commonBeginning(group.map((each) => each.loaded.run.title))
  // Each has its seed by its place among all that are played, unless the scenario says it: the first says them all.
  const first = same.find((each) => each.loaded.run.title.includes(part))
  const own = loaded.run.seed !== undefined && loaded.run.seed === seed
  return { title: part, seed: own ? undefined : first?.seed }
}

/** `planned`, when the run is wrong only beside others: everything that is played. */
export function againCommand(
  one: Planned,
  options: RunOptions,
  planned?: readonly Planned[],
): string {
  const { file, run } = one.loaded
  const { title, seed } = planned
    ? togetherWith(one, planned)
    : { title: run.title, seed: one.seed }
  // A name that begins like a flag would be taken for one.
  const words = ['sparring', 'run', file.startsWith('-') ? `./${file}` : file, '--grep', title]
  if (seed !== undefined) words.push('--seed', String(seed))
  for (const name of kept) {
    const value = options[name]
    if (value !== undefined) words.push(`--${name}`, String(value))
  }
  for (const fault of options.fault ?? []) words.push('--fault', fault)
  if (options.tls) words.push('--tls')
  return words.map(quoted).join(' ')
}
