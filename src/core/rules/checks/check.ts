/**
 * A check: what must be observed in the traffic with a service for one clause, by the role that the clause binds. It names the
 * procedures that produce this traffic.
 */
import type { Capability } from '../../protocol/operation.ts'
import type { Role } from '../../protocol/role.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { RuleDescription } from '../invariants/verdict.ts'
import type { Observed, Trace } from './trace.ts'

/** How binding a clause is, by the words of the protocol. */
export const levels = ['MUST', 'SHOULD', 'MAY'] as const
export type Level = (typeof levels)[number]

/** A problem that warns and does not fail. */
export interface Notice {
  readonly notice: string
}

/** Nothing when all is well (`status !== 200 && 'it answers no 200'`); otherwise what is wrong, as a sentence. */
export type Deviation = string | Notice | undefined | false

/** One occasion at which the clause applied, and what was wrong there. */
export interface Observation {
  /** The exchanges that show it. */
  readonly exchanges: readonly Exchange[]
  /** Nothing when it was as it must be. */
  readonly problem?: string
  /** The problem is a notice: the clause advises, or the documents leave it open. */
  readonly isNotice?: true
}

/**
 * Gathers what messages say about entities of one kind, and tells what happened to one of them: an account with a call
 * and its state before it. It has a bound of its own. Faulted messages (`exchange.fault`) come too: they make what it knows
 * uncertain.
 */
export interface Fold<Moment> {
  readonly begin: () => { take: (observed: Observed, trace: Trace) => readonly Moment[] }
}

/** A moment that one clause is about: as it must be, or not. */
export interface ClauseMoment {
  readonly clause: string
  readonly exchanges: readonly Observed[]
  readonly problem?: Deviation
}

/** What messages mean for the entities of folds. */
export interface Moments {
  /** Messages come in their order, each once or several times in a row. */
  readonly moments: <Moment>(
    fold: Fold<Moment>,
    observed: Observed,
    trace: Trace,
  ) => readonly Moment[]
}

/** A part of an assertion that is judged message by message. */
export interface LivePart {
  /** Judges one message, whose trace has nothing but this message. */
  readonly judge: (observed: Observed, trace: Trace, folds: Moments) => Iterable<Observation>
  /** Keys of the messages that it looks at in the traffic of a role; absent where it looks at all. */
  readonly selects?: (role: Role) => ReadonlySet<string>
  /** It says nothing of a message that means nothing for the entities of this fold. */
  readonly fold?: Fold<unknown>
  /** A session tells its advice, although it looks at single messages. */
  readonly advises?: true
}

/** Finds the occasions of a clause in a trace; none when it did not come up. */
export interface Assertion {
  (trace: Trace): Iterable<Observation>
  /** What of it can be judged while traffic comes; absent where it needs the whole trace, or steps of procedures. */
  readonly live?: readonly LivePart[]
  /** All of it is judged while traffic comes: what it blames is in the traffic, and not in what did not come. */
  readonly isWhollyLive?: boolean
}

export interface Check {
  /** The clause; a check of several names them all. Together with the role the first one identifies it. */
  readonly clauses: readonly [string, ...string[]]
  /** Roles of a service that it applies to. */
  readonly roles: readonly Role[]
  /**
   * When absent MUST, or SHOULD where the documents leave the clauses open. A violation of a MUST fails; of a SHOULD or a MAY it
   * is a warning.
   */
  readonly level?: Level
  /** Capabilities without which it does not apply. */
  readonly needs?: readonly Capability[]
  /** The procedures whose traffic it looks at, by name. */
  readonly procedures: readonly string[]
  readonly assertion: Assertion
  /** Why it may not come up although its procedures were carried out, and what to do then. */
  readonly whyUnobserved?: string
  /** What the author of a service that fails should do: one sentence, an instruction. */
  readonly remedy: string
  /** The same where it is warned only, and the remedy is what was done already. */
  readonly noticeRemedy?: string
}

/** What the documents leave open binds no service: it is checked, and what is unusual is a warning. */
const isNotStated = (clause: string): boolean => clause.includes('-UND-')

/** How binding clauses are together, where their check says nothing of it. */
export const levelOf = ({
  clauses,
  level,
}: Pick<Check, 'level'> & { readonly clauses: readonly string[] }): Level =>
  level ?? (clauses.every(isNotStated) ? 'SHOULD' : 'MUST')

/** A check as a rule of a session: `Must answer 409 ….`, named by its clause. */
export const ruleOfCheck = ({ clauses, remedy }: Check): RuleDescription => ({
  id: clauses[0],
  name: clauses[0].toLowerCase(),
  sentence: `Must ${remedy.replace(/^Do not/, 'not').replace(/^./, (first) => first.toLowerCase())}`,
  remedy,
  kind: 'safety',
  clauses,
  premise: 'a message comes that the clause is about',
})

/** A clause that no check covers yet for these roles: a person has to attest it. */
export interface UncheckedClause {
  readonly clause: string
  readonly roles: readonly Role[]
  /** Why no traffic shows it, or cannot be had. */
  readonly why: string
}

/** A clause that no traffic can show: a person has to attest it for these roles. */
export interface AttestedClause {
  readonly clause: string
  readonly roles: readonly Role[]
  /** As that of a check. */
  readonly level?: Level
  /** What the person is asked: yes means that the service keeps to it. */
  readonly question: string
}

/** What checks of a list share, in whole or in part: roles, needs, procedures. */
type Setting = Partial<Omit<Check, 'clauses' | 'assertion' | 'remedy'>>
/** A check without its clauses, and without what it has from the setting. */
type Row<Shared extends Setting> = Omit<Check, 'clauses' | keyof Shared> & Setting
/** Rows by their clause; a row of several clauses has them all as its key. */
type Table<Shared extends Setting> = Readonly<Record<string, Row<Shared>>>
/** Rows that are made from other tables. */
type MadeRows<Shared extends Setting> = readonly (Row<Shared> & Pick<Check, 'clauses'>)[]

const isMade = <Shared extends Setting>(
  part: Table<Shared> | MadeRows<Shared>,
): part is MadeRows<Shared> => Array.isArray(part)

/** What a row leaves out is in the setting: its type demands the rest. */
const checkOf = (setting: object, row: object): Check => ({ ...setting, ...row }) as Check

/**
 * Checks by their clauses; each has what the setting says and its row does not:
 *
 *     defineChecks({ roles, procedures: ['access'] }, {
 *       'AUT-GEN-02': { assertion: each(withoutToken, needsToken), remedy: 'Demand a Bearer token.' },
 *     })
 */
export function defineChecks<Shared extends Setting>(
  setting: Shared,
  ...parts: readonly (Table<Shared> | MadeRows<Shared>)[]
): readonly Check[] {
  return parts.flatMap((part) =>
    isMade(part)
      ? part.map((row) => checkOf(setting, row))
      : Object.entries(part).map(([clauses, row]) =>
          checkOf(setting, { ...row, clauses: clauses.split(' ') }),
        ),
  )
}

/** Rows of one form, by their clause: what is tested, and the remedy. */
export type Rows<Tested> = Readonly<Record<string, readonly [tested: Tested, remedy: string]>>

/**
 * A table for defineChecks of rows that one assertion judges:
 *
 *     rowsOf({ 'LOG-FLD-05': [optional('/courier', isObject), 'Return courier as an object.'] }, (test) =>
 *       each(deliveries, replyIs(test)),
 *     )
 */
export const rowsOf = <Tested>(
  rows: Rows<Tested>,
  assertionOf: (tested: Tested) => Assertion,
): Readonly<Record<string, Pick<Check, 'assertion' | 'remedy'>>> =>
  Object.fromEntries(
    Object.entries(rows).map(([clauses, [tested, remedy]]) => [
      clauses,
      { assertion: assertionOf(tested), remedy },
    ]),
  )
