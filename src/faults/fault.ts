/**
 * A fault: one named distortion of events or of HTTP, in a file of its own whose name is its name everywhere. It says
 * what becomes of one plan or of one message, as a pure function of its options, the message and a draw; which messages
 * it means, and how often, is the same for all and none of its business.
 */
import type { z } from 'zod'
import type { Chance } from '../engine/chance.ts'
import type { Distortion } from '../engine/faults/distortion.ts'
import type { Meeting, MessageMeeting, PlanMeeting } from '../engine/faults/meeting.ts'
import type { Planned } from '../engine/agenda/item.ts'

export interface FaultDefinition<Options = Readonly<Record<string, unknown>>> {
  /** As in its file's name: `drop`, `rate-limit`. */
  readonly name: string
  /** One sentence: what somebody sees of it. */
  readonly summary: string
  /** Its place in the alphabet of faults, or its places: `E5`, `R7, R11`; `*` for what draws another one. */
  readonly code: string
  /** The kinds of meetings that it has anything to do with. */
  readonly meets: readonly Meeting['kind'][]
  /** A correct partner or network may do this; else it is robustness, and what it finds is advice. */
  readonly legal: boolean | ((options: Options) => boolean)
  /** Its own options; those of every fault (event, order, nth, percent …) come on top. */
  readonly options: z.ZodObject & z.ZodType<Options>
  /** In so many of a hundred cases, where nobody says anything else. */
  readonly percent?: number
  /** Options as a storm draws them: lawful ones, of every size that makes a difference. */
  readonly vary: (chance: Chance) => Options
  /** What becomes of a plan: nothing, itself later, itself twice. Undefined leaves it alone. */
  readonly plan?: (
    options: Options,
    planned: Planned,
    meeting: PlanMeeting,
    chance: Chance,
  ) => readonly Planned[] | undefined
  /** What becomes of a message. Undefined leaves it alone. */
  readonly message?: (
    options: Options,
    meeting: MessageMeeting,
    chance: Chance,
  ) => Distortion | undefined
  /** In place of both: the faults that do it instead. The first of them that has something to do there does it. */
  readonly instead?: (options: Options, meeting: Meeting, chance: Chance) => Iterable<Draw>
}

/** Another fault, with options drawn for it. */
export interface Draw {
  readonly fault: FaultDefinition
  readonly options: Readonly<Record<string, unknown>>
}

/** Checks a fault where it is written; its options come out of its own schema, so nobody else need know their type. */
export const defineFault = <Options extends object>(
  fault: FaultDefinition<Options>,
): FaultDefinition => fault as unknown as FaultDefinition

export const isLegal = (
  { legal }: FaultDefinition,
  options: Readonly<Record<string, unknown>>,
): boolean => (typeof legal === 'function' ? legal(options) : legal)
