/**
 * A verb: what one types after `sparring`. Its name, arguments and flags are data, from which help, parsing,
 * environment variables and completion come; `run` loads what it needs only when it is called, so that help is quick.
 */
import type { ExitCode } from './exit-code.ts'
import type { Io } from './io.ts'

export interface ArgumentRow {
  readonly name: string
  readonly summary: string
  readonly required?: true
  /** Takes all that follow. */
  readonly many?: true
  readonly choices?: readonly string[]
}

export interface FlagRow {
  /** Without dashes; `no-…` is a switch like any other. Its environment variable is `SPARRING_<NAME>`. */
  readonly name: string
  readonly short?: string
  /** What stands for the value in help, such as `<file>`; absent for a switch. */
  readonly value?: string
  readonly summary: string
  readonly choices?: readonly string[]
  /** It may be given again. In the environment several stand with semicolons between them. */
  readonly many?: true
  /** The value is a number within these bounds, both included. */
  readonly number?: { readonly least: number; readonly most: number; readonly fraction?: true }
}

type ValueOf<Row> = Row extends { readonly number: object }
  ? number
  : Row extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
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

/** What `run` gets: a key for every argument, and one for every flag that was given, under its name. */
export type OptionsOf<
  Arguments extends readonly ArgumentRow[],
  Flags extends readonly FlagRow[],
> = {
  readonly [Flag in Flags[number] as Flag['name']]?: FlagValue<Flag>
} & {
  readonly [Argument in Arguments[number] as Argument['name']]: ArgumentValue<Argument>
}

interface VerbShape {
  readonly name: string
  /** One line for the list of verbs. */
  readonly summary: string
  /** What follows the flags in its own help: examples, mostly. */
  readonly details?: string
}

export interface Verb extends VerbShape {
  readonly arguments: readonly ArgumentRow[]
  readonly flags: readonly FlagRow[]
  /** The verbs of a family such as `orders`; the first one is meant when none is named. */
  readonly verbs: readonly Verb[]
  run(options: Readonly<Record<string, unknown>>, io: Io): Promise<ExitCode>
}

/** Checks a verb where it is written: `run` gets exactly what its arguments and flags promise. */
export const defineVerb = <
  const Arguments extends readonly ArgumentRow[] = [],
  const Flags extends readonly FlagRow[] = [],
>(
  verb: VerbShape & {
    readonly arguments?: Arguments
    readonly flags?: Flags
    run(options: OptionsOf<Arguments, Flags>, io: Io): Promise<ExitCode>
  },
): Verb => ({
  ...verb,
  arguments: verb.arguments ?? [],
  flags: verb.flags ?? [],
  verbs: [],
  run: (options, io) => verb.run(options as OptionsOf<Arguments, Flags>, io),
})

/** A verb that only gathers others under its name. */
export const defineFamily = (
  family: VerbShape & { readonly verbs: readonly [Verb, ...Verb[]] },
): Verb => ({
  ...family,
  arguments: [],
  flags: [],
  run: (options, io) => family.verbs[0].run(options, io),
})
