/** What to type to play one run again: the same file, the same run, the same seed, against the same service. */
import type { RunOptions } from '../verbs/run.ts'
import type { Planned } from './plan.ts'

const isPlain = (text: string): boolean => /^[\w@%+=:,./-]+$/.test(text)

/** As a shell takes it for one word. */
const quoted = (text: string): string =>
  isPlain(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

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

export function againCommand({ loaded, seed }: Planned, options: RunOptions): string {
  const words = ['sparring', 'run', loaded.file, '--grep', loaded.run.title, '--seed', String(seed)]
  for (const name of kept) {
    const value = options[name]
    if (value !== undefined) words.push(`--${name}`, String(value))
  }
  for (const fault of options.fault ?? []) words.push('--fault', fault)
  if (options.tls) words.push('--tls')
  return words.map(quoted).join(' ')
}
