/** Parses the value of a flag from the command line or from its environment variable. */
import { findClosestName } from '../../../core/protocol/closest-name.ts'
import { problem } from '../../../core/base/problem.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { ArgumentRow, FlagRow, Verb } from '../../../terminal/cli/verb.ts'

type ChoiceRow = Pick<ArgumentRow | FlagRow, 'aliases' | 'choices'>

/** The choices as help and messages show them, each with its other names: `software-service (ss, pos)`. */
export const choiceTexts = ({ choices = [], aliases = {} }: ChoiceRow): readonly string[] =>
  choices.map((choice) => {
    const others = Object.keys(aliases).filter((alias) => aliases[alias] === choice)
    return others.length === 0 ? choice : `${choice} (${others.join(', ')})`
  })

/**
 * The choice that a text names in any case, by itself or by another name; the error lists the choices and the nearest
 * one.
 */
export function parseChoice(row: ChoiceRow, text: string): Result<string, string> {
  const { choices = [], aliases = {} } = row
  const lowerText = text.toLowerCase()
  const choice = aliases[lowerText] ?? choices.find((each) => each.toLowerCase() === lowerText)
  if (choice !== undefined && choices.includes(choice)) return ok(choice)
  const named = Object.keys(aliases).filter((alias) => choices.includes(aliases[alias] ?? ''))
  const near = findClosestName(text, [...choices, ...named])
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  return err(`It is one of ${choiceTexts(row).join(', ')}.${hint}`)
}

/** The error describes the expected value. */
export function parseFlagValue(flag: FlagRow, text: string): Result<string | number, string> {
  if (flag.choices && !(flag.path && /[./\\]/.test(text))) {
    const choice = parseChoice(flag, text)
    return choice.ok || !flag.path ? choice : err(`${choice.error} Or name a file: ./${text}.yaml.`)
  }
  if (!flag.number) return text === '' ? err('It must not be empty.') : ok(text)
  const { min, max, fraction } = flag.number
  const value = Number(text)
  const fits = text.trim() !== '' && value >= min && value <= max
  if (fits && (fraction || Number.isInteger(value))) return ok(value)
  return err(`It is a ${fraction ? 'number' : 'whole number'} from ${min} to ${max}.`)
}

const prefix = 'SPARRING_'

/** A switch such as `raw=unsafe` is a value in the environment of `raw`. */
export const flagEnvironmentName = ({ name }: FlagRow): string =>
  `${prefix}${name.replace(/=.*/, '').toUpperCase().replaceAll('-', '_')}`

/** A process that another session started has variables of that session, which are no flags. */
const startedBySession = ['REPLICA', 'WISH', 'EFFECT'].map((name) => prefix + name)

/** A sentence for each variable that is spelt nearly like a flag of this verb, and is no flag of any verb. */
export function misspeltVariables(
  flags: readonly FlagRow[],
  verbs: readonly Verb[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (startedBySession.some((name) => env[name] !== undefined)) return []
  const own = flags.filter(({ isTypedOnly }) => !isTypedOnly).map(flagEnvironmentName)
  const flagsOf = (verb: Verb): readonly FlagRow[] => [
    ...verb.flags,
    ...verb.verbs.flatMap(flagsOf),
  ]
  const known = new Set([...own, ...verbs.flatMap(flagsOf).map(flagEnvironmentName)])
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith(prefix) || known.has(name)) return []
    const bare = (each: string): string => each.slice(prefix.length)
    const closest = findClosestName(bare(name), own.map(bare))
    return closest === undefined
      ? []
      : [`${name} is no flag, and has no effect. Did you mean ${prefix}${closest}?`]
  })
}

/** Values that leave a switch off, so that `SPARRING_JSON=0` is no `--json`. */
const offValues = ['', '0', 'false', 'no', 'off']

/** The value of a flag in the environment; undefined when it is unset or empty. */
export function flagValueFromEnvironment(
  flag: FlagRow,
  env: Readonly<Record<string, string | undefined>>,
): Result<string | number | true | readonly (string | number)[], string> | undefined {
  const text = flag.isTypedOnly ? undefined : env[flagEnvironmentName(flag)]
  if (text === undefined || text === '') return undefined
  const [, variant] = flag.name.split('=')
  if (variant !== undefined) return text === variant ? ok(true) : undefined
  if (flag.value === undefined) return offValues.includes(text.toLowerCase()) ? undefined : ok(true)
  return flag.many ? severalValues(flag, text.split(';')) : parseFlagValue(flag, text)
}

/** The same, a wrong value as a problem. */
export function environmentFlagValue(
  flag: FlagRow,
  env: Readonly<Record<string, string | undefined>>,
): string | number | true | readonly (string | number)[] | undefined {
  const read = flagValueFromEnvironment(flag, env)
  if (!read || read.ok) return read?.value
  const name = flagEnvironmentName(flag)
  throw problem(`reading ${name}`, `"${env[name] ?? ''}" cannot be used`, read.error)
}

function severalValues(
  flag: FlagRow,
  texts: readonly string[],
): Result<readonly (string | number)[], string> {
  const values: (string | number)[] = []
  for (const text of texts.map((each) => each.trim()).filter((each) => each !== '')) {
    const value = parseFlagValue(flag, text)
    if (!value.ok) return value
    values.push(value.value)
  }
  return ok(values)
}
