/**
 * The definition of a fault: one named distortion of events or HTTP messages. It distorts one plan or one message, as a
 * pure function of options, message and draw; which messages it matches and how often is common to all faults and handled
 * elsewhere.
 */
import type { z } from 'zod'
import type { Chance } from '../engine/chance.ts'
import type { Distortion } from '../engine/faults/distortion.ts'
import type { FaultAnchor } from '../engine/faults/fault.ts'
import type { FaultPoint, MessagePoint, PlanPoint } from '../engine/faults/fault-point.ts'
import type { Settings } from '../engine/settings.ts'
import type { PlannedCommand } from '../engine/agenda/item.ts'

/** How a distorted message looks to the service; what looks alike triggers the same failures. */
export type FaultSymptom =
  /** An event comes late, or after others, whatever held it back. */
  | 'late'
  /** An event comes again. */
  | 'again'
  /** A call fails. */
  | 'failing'
  /** A call takes long, and succeeds. */
  | 'slow'
  /** A message has something that no document knows. */
  | 'unknown'
  /** An order has contents that are valid and rare. */
  | 'odd'

/** What a fault does to a service, as far as a search draws by it, or a rule judges by it. */
export type FaultTrait =
  /** To the caller the call has failed: it tries again, or waits. */
  | 'failure'
  /** A partner may have it for as long as it likes. */
  | 'permanent'
  /** An event comes never, or so late that the service has to find out for itself. */
  | 'loss'
  /** It changes when an event comes, and nothing else. */
  | 'order'
  /** It holds back other calls of the same client as well. */
  | 'client-wide'
  /** A proxy that knows nothing of messages can do it. */
  | 'transport'
  /** It changes what a message holds, or how that is written, and delays nothing: the service is judged as without it. */
  | 'contents'

/** A fault as it is declared. */
interface FaultDeclaration<Options> {
  /** As commands and scenarios name it: `drop`, `rate-limit`. */
  readonly name: string
  /** One sentence: the visible effect. */
  readonly summary: string
  /** Code, or codes, in the classification of faults: `E5`, `R7, R11`; `*` for one that draws others. */
  readonly code: string
  /** The kinds of fault points at which it acts. */
  readonly meets: readonly FaultPoint['kind'][]
  /** Absent: it looks like no other fault. */
  readonly symptom?: FaultSymptom
  readonly traits?: readonly FaultTrait[]
  /** Whether a correct partner or network may do this, as when absent; otherwise it is a robustness test, and findings are advice. */
  readonly legal?: boolean | ((options: Options) => boolean)
  /** Whether a message then names a date, which a service reads by a clock that runs at speed 1. */
  readonly namesDate?: (options: Options) => boolean
  /** It changes what becomes of an order, not how messages come: storms and searches leave it out unless it is named. */
  readonly changesOrders?: true
  /** Storms leave it out unless it is named: those of old seeds stay as they were. */
  readonly isNamedOnly?: true
  /** Its own options; the common ones (event, order, nth, percent …) are added. */
  readonly options: z.ZodObject & z.ZodType<Options>
  /** Default probability in percent. */
  readonly percent?: number
  /** A call fails so that the caller tries again: a storm may let it happen until the caller gives up. */
  readonly isRetried?: true
  /** Share of its probability at which every try of a call is distorted until the caller has abandoned it once. */
  readonly outlastShare?: number
  /** It ends the process of the service: only where that is started by us. */
  readonly needsStart?: true
  /** Why it matches nothing with these options in such a session; undefined when it can. */
  readonly missing?: (
    options: Options,
    anchor: FaultAnchor,
    settings: Settings,
  ) => string | undefined
  /** Draws options for a storm: conformant ones, covering every size that makes a difference. */
  readonly vary: (chance: Chance) => NoInfer<Options>
  /** Options that a search tries besides: with other faults of a storm they might leave no way to recover. */
  readonly alsoSearched?: readonly NoInfer<Options>[]
  /** Distorts a plan: dropped, delayed, duplicated. Undefined leaves it alone. */
  readonly plan?: (
    options: Options,
    planned: PlannedCommand,
    meeting: PlanPoint,
    chance: Chance,
  ) => readonly PlannedCommand[] | undefined
  /** Distorts a message. Undefined leaves it alone. */
  readonly message?: (
    options: Options,
    meeting: MessagePoint,
    chance: Chance,
  ) => Distortion | undefined
  /** Instead of both: candidate faults; the first of them that acts here is used. */
  readonly replacements?: (
    options: Options,
    meeting: FaultPoint,
    chance: Chance,
    isOutlasted: boolean,
  ) => Iterable<FaultDraw>
}

export interface FaultDefinition<
  Options = Readonly<Record<string, unknown>>,
> extends FaultDeclaration<Options> {
  readonly legal: boolean | ((options: Options) => boolean)
}

/** A fault with drawn options. */
export interface FaultDraw {
  readonly fault: FaultDefinition
  readonly options: Readonly<Record<string, unknown>>
}

/** Type-checks a definition against its own options schema, and erases the options type. */
export const defineFault = <Options extends object>(
  fault: FaultDeclaration<Options>,
): FaultDefinition => ({ legal: true, ...fault }) as unknown as FaultDefinition

export const isLegalFault = (
  { legal }: FaultDefinition,
  options: Readonly<Record<string, unknown>>,
): boolean => (typeof legal === 'function' ? legal(options) : legal)
