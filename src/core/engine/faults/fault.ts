/**
 * A fault in force, as data: its name, fault points and options. The engine does not know what a name means: a port,
 * injected where the session is composed, implements the faults.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Result } from '../../protocol/result.ts'
import type { Chance } from '../chance.ts'
import type { Instant } from '../instant.ts'
import type { PlannedCommand } from '../agenda/item.ts'
import type { Refusal } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import type { FaultPoint, MessagePoint, PlanPoint } from './fault-point.ts'
import type { Distortion } from './distortion.ts'
import type { EventChannel } from '../emitted-event.ts'

/** Which messages a fault matches; without conditions, all at its fault points. */
export interface FaultAnchor {
  /** Event types; for a poll or an acknowledgment, those that it carries. */
  readonly event?: readonly string[]
  readonly operation?: readonly OperationId[]
  /** The trigger that a call requested: `confirm`, `dispatch` … */
  readonly trigger?: readonly string[]
  /** An order's id, or its slot: `o2` is the second order of the session. */
  readonly order?: string
  readonly merchant?: string
  readonly channel?: EventChannel
  /** The n-th such message of each order, from 1; messages without a single order are counted together. */
  readonly nth?: number
  /** Only after an event of this type of the same order was handed over. */
  readonly after?: string
}

/** Number of attempts of the same call at most, or `outlast`: until the caller has abandoned it once. */
export type FaultBurst = number | 'outlast'

export interface CheckedFault {
  /** The name in the catalogue, in configuration files and on the wire. */
  readonly name: string
  readonly anchor: FaultAnchor
  /** The kinds of fault points at which it acts. */
  readonly meets: readonly FaultPoint['kind'][]
  /** Its own options, validated by its schema. */
  readonly options: Readonly<Record<string, unknown>>
  /** Allowed by the protocol for a partner or a network; otherwise findings are advice only. */
  readonly legal: boolean
  /** Maximum number of distortions, then it is spent. */
  readonly limit?: number
  readonly burst?: FaultBurst
  /** Probability in percent, drawn for each message by its content. */
  readonly percent?: number
  /** Of so many percent of calls about an order every try is distorted, until the caller has abandoned it once. */
  readonly outlastPercent?: number
  /** Duration in milliseconds. */
  readonly forMs?: number
  /** Its text form, one line. */
  readonly text: string
}

export interface ActiveFault extends CheckedFault {
  readonly id: number
  readonly since: Instant
  /** Number among the faults of its name in force, so that each draws differently. Absent for the first. */
  readonly twin?: number
  /** Number of distortions so far. */
  readonly fired: number
  /** Why it matches nothing in this session, where that is known. */
  readonly idle?: string
  /** Why it ended. */
  readonly over?: 'spent' | 'expired' | 'removed' | 'ended'
}

/** A fault drawn by another one (a storm), with its drawn options. */
export type DrawnFault = Pick<CheckedFault, 'name' | 'legal' | 'text'>

/** The result of a fault. */
export interface FaultResult<Value> {
  readonly value: Value
  /** The fault that was drawn, where another one drew it. */
  readonly as?: DrawnFault
}

/** Implements faults by name. Pure: depends on its parameters only. */
export interface FaultPort {
  /** Validates a specification: a fault of the catalogue, or all of a profile. */
  readonly check: (spec: unknown) => Result<readonly CheckedFault[], Refusal>
  /** Why a session with these settings cannot have a fault; undefined when it can. */
  readonly refusal: (fault: CheckedFault, settings: Settings) => string | undefined
  /** Why a fault matches nothing in a session with these settings; undefined when it can. */
  readonly inapplicability: (fault: CheckedFault, settings: Settings) => string | undefined
  /** Distorts a plan; undefined when this fault does not act on it. */
  readonly distortPlan: (
    fault: CheckedFault,
    planned: PlannedCommand,
    meeting: PlanPoint,
    chance: Chance,
  ) => FaultResult<readonly PlannedCommand[]> | undefined
  /**
   * Distorts a message; undefined when this fault does not act on it. Where every try of a call is distorted, only by what
   * makes the caller try again.
   */
  readonly distortMessage: (
    fault: CheckedFault,
    meeting: MessagePoint,
    chance: Chance,
    isOutlasted: boolean,
  ) => FaultResult<Distortion> | undefined
}
