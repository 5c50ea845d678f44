/**
 * A verb: a subcommand of `sparring`. Its name, arguments and flags are data, from which help, parsing, environment
 * variables and completion are derived; `run` loads its modules only when called, so that help is fast.
 */
import { compact } from '../../core/base/compact.ts'
import type { ExitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { withLosses } from './losses.ts'

export interface ArgumentRow {
  readonly name: string
  readonly summary: string
  readonly required?: true
  /** Variadic: takes all remaining arguments. */
  readonly many?: true
  readonly choices?: readonly string[]
  /** Other names of choices, in lower case: `pos` for `software-service`. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Values that completion offers, where others are valid too. */
  readonly suggestions?: readonly string[]
  /** Its value names a file or a folder, which is read or written. */
  readonly path?: 'read' | 'write'
}

export interface FlagRow {
  /** Without dashes; `no-…` is a switch like any other. Its environment variable is `SPARRING_<NAME>`. */
  readonly name: string
  readonly short?: string
  /** The placeholder of the value in help, such as `<file>`; absent for a switch. */
  readonly value?: string
  readonly summary: string
  /** With `path` the name of a file, which has a dot or a slash, is another choice. */
  readonly choices?: readonly string[]
  /** Other names of choices, in lower case: `pos` for `software-service`. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Values that completion offers, where others are valid too. */
  readonly suggestions?: readonly string[]
  /** Repeatable. In the environment the values are separated by semicolons. */
  readonly many?: true
  /** It is not read from the environment, where the same name is a flag of other verbs. */
  readonly isTypedOnly?: true
  /** Its value names a file or a folder, as the placeholder says where: `<file[=role]>`, `<name[=file]>`. */
  readonly path?: 'read' | 'write'
  /** The value is a number within these inclusive bounds. */
  readonly number?: { readonly min: number; readonly max: number; readonly fraction?: true }
}

type ValueOf<Row> = Row extends { readonly number: object }
  ? number
  : Row extends { readonly choices: readonly (infer Choice)[] }
    ? Row extends { readonly path: string }
      ? string
      : Choice
    : string

type FlagValue<Flag> = Flag extends { readonly value: string }
  ? Flag extends { readonly many: true }
    ? readonly ValueOf<Flag>[]
    : ValueOf<Flag>
  : true

type ArgumentValue<Argument> = Argument extends { readonly many: true }
  ? readonly ValueOf<Argument>[]
  : Argument extends { readonly required: true }
    ? ValueOf<Argument>
    : ValueOf<Argument> | undefined

/** The options of `run`: a key for every argument and for every flag that was set, by its name. */
export type OptionsOf<
  Arguments extends readonly ArgumentRow[],
  Flags extends readonly FlagRow[],
> = {
  readonly [Flag in Flags[number] as Flag['name']]?: FlagValue<Flag>
} & {
  readonly [Argument in Arguments[number] as Argument['name']]: ArgumentValue<Argument>
}

/** The flags with these names, for a verb that takes some of another's. */
export const flagsNamed = <Row extends FlagRow, const Name extends Row['name']>(
  rows: readonly Row[],
  names: readonly Name[],
): readonly Extract<Row, { readonly name: Name }>[] =>
  rows.filter((row): row is Extract<Row, { readonly name: Name }> =>
    names.some((name) => name === row.name),
  )

/** Titles of groups of flags in help, in their order, with the names of their flags. */
export type FlagGroups<Name extends string = string> = Readonly<Record<string, readonly Name[]>>

interface VerbShape {
  readonly name: string
  /** One line for the list of verbs. */
  readonly summary: string
  /** Text after the flags in the verb's help: examples and exit codes. */
  readonly details?: string
}

export interface Verb extends VerbShape {
  readonly arguments: readonly ArgumentRow[]
  readonly flags: readonly FlagRow[]
  /** Without it all flags are in one group. */
  readonly groups?: FlagGroups
  /** The verbs of a group such as `orders`; the first is the default. */
  readonly verbs: readonly Verb[]
  /** The default is left out of help and completion, where the group has its flags. */
  readonly showsDefault?: true
  run(options: Readonly<Record<string, unknown>>, io: Io): Promise<ExitCode>
}

/** The flags in the order of their groups; those in none come last. */
function inGroupOrder(flags: readonly FlagRow[], groups: FlagGroups = {}): readonly FlagRow[] {
  const order = Object.values(groups).flat()
  const placeOf = ({ name }: FlagRow): number => {
    const place = order.indexOf(name)
    return place < 0 ? order.length : place
  }
  return flags.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Defines a verb with `run` typed by its arguments and flags. */
export const defineVerb = <
  const Arguments extends readonly ArgumentRow[] = [],
  const Flags extends readonly FlagRow[] = [],
>(
  verb: VerbShape & {
    readonly arguments?: Arguments
    readonly flags?: Flags
    readonly groups?: FlagGroups<Flags[number]['name']>
    run(options: OptionsOf<Arguments, Flags>, io: Io): Promise<ExitCode>
  },
): Verb => ({
  ...verb,
  arguments: verb.arguments ?? [],
  flags: inGroupOrder(verb.flags ?? [], verb.groups),
  verbs: [],
  run: (options, io) =>
    withLosses(io, (inner) => verb.run(options as OptionsOf<Arguments, Flags>, inner)),
})

/**
 * Defines a verb that only groups others. With `showsDefault` its flags and the text after them are those of the first.
 */
export const defineVerbGroup = (
  family: VerbShape & Pick<Verb, 'showsDefault'> & { readonly verbs: readonly [Verb, ...Verb[]] },
): Verb => {
  const [first] = family.verbs
  const { flags, groups, details } = first
  return {
    ...family,
    arguments: [],
    flags: [],
    ...(family.showsDefault ? compact({ flags, groups, details }) : {}),
    run: (options, io) => first.run(options, io),
  }
}

/** The verbs of a group that help and completion list. */
export const listedVerbs = ({ verbs, showsDefault }: Verb): readonly Verb[] =>
  showsDefault ? verbs.slice(1) : verbs
