/**
 * A fault that is in force, as data: its name, what it meets, and its options. What a name means is none of the engine's
 * business: a port answers that, and it is put in where the session is composed.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Result } from '../../protocol/result.ts'
import type { Chance } from '../chance.ts'
import type { Channel } from '../fact.ts'
import type { Instant } from '../instant.ts'
import type { Planned } from '../agenda/item.ts'
import type { Refusal } from '../refusal.ts'
import type { Meeting, MessageMeeting, PlanMeeting } from './meeting.ts'
import type { Distortion } from './distortion.ts'

/** Which messages a fault means; all that are of its kind when it says nothing. */
export interface Anchor {
  /** Event types; for a poll or an acknowledgment, those that it carries. */
  readonly event?: readonly string[]
  readonly operation?: readonly OperationId[]
  /** What a call asked for: `confirm`, `dispatch` … */
  readonly trigger?: readonly string[]
  /** An order's id, or its slot: `o2` is the second order of the session. */
  readonly order?: string
  readonly merchant?: string
  readonly channel?: Channel
  /** The n-th such message of each order, from 1; of all that are about no single order. */
  readonly nth?: number
  /** Not before an event of this type of the same order was handed over. */
  readonly after?: string
}

/** How often: so many tries of the same call at most, or until whoever tries again has given up once. */
export type Burst = number | 'outlast'

export interface CheckedFault {
  /** As in the catalogue, in configuration files and on the wire. */
  readonly name: string
  readonly anchor: Anchor
  /** The kinds of meetings that it has anything to do with. */
  readonly meets: readonly Meeting['kind'][]
  /** Its own options, checked by its own schema. */
  readonly options: Readonly<Record<string, unknown>>
  /** A partner or a network may do this by the protocol; else what it finds is advice. */
  readonly legal: boolean
  /** Distorts so many messages altogether, then it is spent. */
  readonly limit?: number
  readonly burst?: Burst
  /** In so many of a hundred cases, drawn for each message by what it is about. */
  readonly percent?: number
  /** How long it is in force. */
  readonly forMs?: number
  /** As somebody would write it again: one line. */
  readonly text: string
}

export interface ActiveFault extends CheckedFault {
  readonly id: number
  readonly since: Instant
  /** Which of those of its name that are in force with it: each of them draws for itself. Absent for the first. */
  readonly twin?: number
  /** How often it has distorted something. */
  readonly fired: number
  /** Why it distorts nothing more. */
  readonly over?: 'spent' | 'expired' | 'removed' | 'ended'
}

/** A fault that another one drew to do its work, with the options that it drew for it. */
export type Drawn = Pick<CheckedFault, 'name' | 'legal' | 'text'>

/** What a fault makes of something. */
export interface Made<Value> {
  readonly value: Value
  /** Which fault it was, where another one drew it. */
  readonly as?: Drawn
}

/** What the names of faults mean. Pure: it gets everything that it goes by. */
export interface FaultPort {
  /** What somebody wrote, checked: a fault of the catalogue, or all of a profile. */
  readonly check: (spec: unknown) => Result<readonly CheckedFault[], Refusal>
  /** What becomes of a plan; undefined when this fault leaves such plans alone. */
  readonly distortPlan: (
    fault: CheckedFault,
    planned: Planned,
    meeting: PlanMeeting,
    chance: Chance,
  ) => Made<readonly Planned[]> | undefined
  /** What becomes of a message; undefined when this fault leaves such messages alone. */
  readonly distortMessage: (
    fault: CheckedFault,
    meeting: MessageMeeting,
    chance: Chance,
  ) => Made<Distortion> | undefined
}
