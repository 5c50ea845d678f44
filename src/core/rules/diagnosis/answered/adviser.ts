/** Gives advice on requests that were accepted, each mistake of a client once or from time to time. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { TokenRequest } from '../../../protocol/auth/token.ts'
import { type Acknowledgment, acknowledgedIds } from '../../../protocol/orders/acknowledgment.ts'
import {
  hasRequirements,
  type UnmetRequirement,
} from '../../../protocol/partner-requirements/catalogue.ts'
import { setBounded } from '../../../engine/bounded.ts'
import type { Fact } from '../../../engine/fact.ts'
import type { HandlerInput } from '../../../engine/handler.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { Client, Settings } from '../../../engine/settings.ts'
import { boundedLine } from '../../../traffic/stated-reason.ts'
import { diagnose } from '../mistake.ts'
import { unmetRequirementsLine } from '../unmet-requirements.ts'
import { acknowledgmentMistakes } from './acknowledgments.ts'
import type { AnsweredRequest, AcceptedMistake } from './answered-request.ts'
import {
  type ClientHabits,
  createClientHabits,
  noteAcknowledgment,
  notePoll,
  noteToken,
} from './client-habits.ts'
import { pollMistakes } from './polls.ts'

/** Tokens in a row for one call each after which it is a habit. */
const maxTokensForOneCall = 3

const tokenMistakes: readonly AcceptedMistake[] = [
  {
    name: 'token-for-each-call',
    clauses: ['AUT-TOK-03', 'AUT-TOK-04'],
    againMs: 'never',
    lineFor: ({ habits, input }) =>
      habits.tokensForOneCall >= maxTokensForOneCall
        ? `a token is requested for each call (${habits.tokens} tokens so far): keep it for all calls until its expires_in is over, ${Math.round(input.settings.conduct.tokenLife / 1000)} s`
        : undefined,
  },
]

type Note = (habits: ClientHabits, input: HandlerInput, facts: readonly Fact[], at: Instant) => void

interface AdvisedOperation {
  /** Takes the request into what is known of its client. */
  readonly note: Note
  readonly mistakes: readonly AcceptedMistake[]
}

const polls: AdvisedOperation = {
  note: (habits, _input, facts, at) =>
    notePoll(
      habits,
      facts.flatMap((fact) => (fact.kind === 'events.polled' ? fact.eventIds : [])),
      at,
    ),
  mistakes: pollMistakes,
}

const acknowledgments: AdvisedOperation = {
  note: (habits, { body, world }) =>
    noteAcknowledgment(
      habits,
      acknowledgedIds(body as Acknowledgment).map(
        (id) => world.ordering.eventIdByAlias.get(id) ?? id,
      ),
    ),
  mistakes: acknowledgmentMistakes,
}

/** The operations whose requests show a habit of their client. */
const advisedOperations: Readonly<Partial<Record<OperationId, AdvisedOperation>>> = {
  pollingEvents: polls,
  pollEventsV1: polls,
  acknowledgeEvents: acknowledgments,
  acknowledgeEventsV1: acknowledgments,
  issueToken: { note: noteToken, mistakes: tokenMistakes },
}

export interface Adviser {
  /** Counts a call of a client. */
  readonly called: (client: Client) => void
  /** Advice on an accepted request of the user's service; `at` is on its clock. */
  readonly advise: (accepted: AcceptedRequest, at: Instant) => string | undefined
}

export interface AcceptedRequest extends Omit<AnsweredRequest, 'habits'> {
  /** The partner requirements that it does not meet. */
  readonly unmet: () => readonly UnmetRequirement[]
}

/** Milliseconds until the same unmet requirements of an operation are reported again. */
const requirementsAgainMs = 10_000

const maxClients = 100

export function createAdviser({ clients, roles }: Settings): Adviser {
  const habitsByClient = new Map<string, ClientHabits>()

  function habitsOf({ clientId }: Client): ClientHabits {
    const known = habitsByClient.get(clientId)
    if (known) return known
    const habits = createClientHabits()
    setBounded(habitsByClient, clientId, habits, maxClients)
    return habits
  }

  /** A token request names its client in the body. */
  const clientOf = ({ client, body }: HandlerInput): Client | undefined =>
    client ?? clients.find(({ clientId }) => clientId === (body as TokenRequest).client_id)

  /** The mistake as it is reported: not while it was reported lately. */
  function lineOnce({ lineFor, name, againMs }: AcceptedMistake, of: AnsweredRequest, at: Instant) {
    const { advisedAt } = of.habits
    const last = advisedAt.get(name)
    if (last !== undefined && (againMs === 'never' || at - last < againMs)) return undefined
    const line = lineFor(of)
    if (line !== undefined) advisedAt.set(name, at)
    return line
  }

  /** The requirements that every partner makes and the request does not meet; not while they were reported lately. */
  function requirementsLine(
    { operation, unmet }: AcceptedRequest,
    { advisedAt }: ClientHabits,
    at: Instant,
  ): string | undefined {
    if (!hasRequirements(operation)) return undefined
    const all = unmet()
    if (all.length === 0) return undefined
    const key = [operation, ...new Set(all.map(({ requirement }) => requirement.at))].join(' ')
    const last = advisedAt.get(key)
    if (last !== undefined && at - last < requirementsAgainMs) return undefined
    advisedAt.set(key, at)
    return unmetRequirementsLine(all)
  }

  return {
    called(client) {
      const habits = habitsByClient.get(client.clientId)
      if (habits) habits.callsSinceToken++
    },
    advise(accepted, at) {
      const { operation, input, facts } = accepted
      const advised = advisedOperations[operation]
      if (!advised && !hasRequirements(operation)) return undefined
      const client = clientOf(input)
      if (!client || roles.includes(client.role)) return undefined
      const habits = habitsOf(client)
      advised?.note(habits, input, facts, at)
      const line = requirementsLine(accepted, habits, at)
      if (line !== undefined) return boundedLine(line)
      // While a fault is active, what looks like a habit may come of it.
      if (!advised || input.world.faults.live.size > 0) return undefined
      const mistakes = advised.mistakes.map((mistake) => ({
        ...mistake,
        lineFor: (of: AnsweredRequest) => lineOnce(mistake, of, at),
      }))
      const habit = diagnose(mistakes, { operation, input, facts, habits })
      return habit === undefined ? undefined : boundedLine(habit)
    },
  }
}
