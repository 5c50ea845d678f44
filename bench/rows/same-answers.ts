/**
 * Requires that two servers answer the same calls alike; otherwise their costs could not be compared. Ids, instants and
 * random values may differ; statuses, codes, amounts and the set of fields may not.
 */
import { isDeepStrictEqual } from 'node:util'
import { callChild } from '../ipc.ts'
import type { StartedChild } from '../child-processes.ts'
import type { LoadRequest } from '../load/jobs.ts'
import type { BenchContext } from '../row.ts'
import { type ServerProgram, startBenchServer } from './server-cost.ts'

export interface ProbeContext {
  /** Returns the body of the answer, as text. */
  readonly call: (shot: LoadRequest, token?: string) => Promise<string>
  /** Waits for the effects of accepted calls. */
  readonly waitUntilIdle: () => Promise<void>
  /** Creates the entities that the calls refer to. */
  readonly create: (count: number) => Promise<readonly string[]>
}

export type Probe = (probing: ProbeContext) => Promise<void>

/** Fields that are random, or free text. */
const ignoredFields: ReadonlySet<string> = new Set([
  'message',
  'name of courier',
  'code of coupon',
  'phone',
  'vehicle',
  'vehicleType',
  'latitude',
  'longitude',
  'metresToPickup',
  'metresToDropoff',
  'estimatedDeliveryMinutes',
])

/** Fields with a name that others have too, by the field that holds them. */
const qualifiedNames: ReadonlyMap<string, string> = new Map([
  ['courier.name', 'name of courier'],
  ['items.code', 'code of coupon'],
])

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
const instant = /^\d{4,}-\d\d-\d\dT[\d:.]+Z$/
const localOrigin = /^http:\/\/127\.0\.0\.1:\d+/

/** Replaces everything in a value that may differ between two servers by a placeholder. */
export function normalizeAnswer(value: unknown, name = ''): unknown {
  if (ignoredFields.has(name)) return typeof value
  if (typeof value === 'string') {
    if (instant.test(value)) return 'an instant'
    return value.replace(localOrigin, 'here').replaceAll(uuid, 'an id')
  }
  if (Array.isArray(value)) return value.map((each) => normalizeAnswer(each, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      normalizeAnswer(each, qualifiedNames.get(`${name}.${key}`) ?? key),
    ]),
  )
}

/** The normalized answer to a call. */
export interface ServerAnswer {
  readonly call: string
  readonly status: number
  /** Whether the X-Request-Id of the request was echoed, or both are absent. */
  readonly isEchoed: boolean
  readonly body: unknown
}

async function fetchAnswer(
  { port, token: ownToken }: StartedChild,
  shot: LoadRequest,
  token = ownToken,
): Promise<{ readonly answer: ServerAnswer; readonly text: string }> {
  const { method, path, body, requestId } = shot
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  const answer = {
    call: `${method} ${path} ${body ?? ''}`.replaceAll(uuid, 'an id'),
    status: response.status,
    isEchoed: response.headers.get('x-request-id') === (requestId ?? null),
    body: text === '' ? undefined : normalizeAnswer(JSON.parse(text)),
  }
  return { answer, text }
}

async function collectAnswers(
  server: StartedChild,
  probe: Probe,
): Promise<readonly ServerAnswer[]> {
  const answers: ServerAnswer[] = []
  await probe({
    call: async (shot, token) => {
      const { answer, text } = await fetchAnswer(server, shot, token)
      answers.push(answer)
      return text
    },
    waitUntilIdle: async () => {
      await callChild(server.child, 'calm', {})
    },
    create: (count) => callChild(server.child, 'create', { count }),
  })
  await server.stop()
  return answers
}

/** The first difference between the answers, as a sentence; undefined when there is none. */
export function findAnswerDifference(
  hand: readonly ServerAnswer[],
  ours: readonly ServerAnswer[],
): string | undefined {
  for (let index = 0; index < Math.max(hand.length, ours.length); index++) {
    const [one, other] = [hand[index], ours[index]]
    if (!isDeepStrictEqual(one, other))
      return `${(one ?? other)?.call} was answered ${JSON.stringify(one)} by hand, and ${JSON.stringify(other)} by us`
  }
  return undefined
}

/** Throws when the two servers answer differently, the hand-written one and ours. */
export async function requireSameAnswers(
  bench: BenchContext,
  programs: readonly [hand: ServerProgram, ours: ServerProgram],
  probe: Probe,
): Promise<void> {
  const [hand, ours] = await Promise.all(
    programs.map(async (program) => collectAnswers(await startBenchServer(bench, program), probe)),
  )
  const difference = findAnswerDifference(hand ?? [], ours ?? [])
  if (difference !== undefined) throw new Error(difference)
}
