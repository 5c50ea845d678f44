/**
 * Requires that two servers answer the same calls alike; otherwise their costs could not be compared. Ids, instants and
 * random values may differ; statuses, codes, amounts and the set of fields may not.
 */
import { isDeepStrictEqual } from 'node:util'
import { ask } from '../asks.ts'
import type { Started } from '../children.ts'
import type { Shot } from '../load/jobs.ts'
import type { Bench } from '../row.ts'
import { type Extra, startServer } from './serving.ts'

export interface Probing {
  readonly call: (shot: Shot, token?: string) => Promise<void>
  /** Waits for the effects of accepted calls. */
  readonly calm: () => Promise<void>
  /** Creates the entities that the calls refer to. */
  readonly create: (count: number) => Promise<readonly string[]>
}

export type Probe = (probing: Probing) => Promise<void>

/** Fields that are random, or free text. */
const ignoredFields: ReadonlySet<string> = new Set([
  'message',
  'name of courier',
  'phone',
  'vehicle',
  'vehicleType',
  'latitude',
  'longitude',
  'metresToPickup',
  'metresToDropoff',
  'estimatedDeliveryMinutes',
])

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
const instant = /^\d{4,}-\d\d-\d\dT[\d:.]+Z$/
const localOrigin = /^http:\/\/127\.0\.0\.1:\d+/

/** Replaces everything in a value that may differ between two servers by a placeholder. */
export function comparable(value: unknown, name = ''): unknown {
  if (ignoredFields.has(name)) return typeof value
  if (typeof value === 'string') {
    if (instant.test(value)) return 'an instant'
    return value.replace(localOrigin, 'here').replaceAll(uuid, 'an id')
  }
  if (Array.isArray(value)) return value.map((each) => comparable(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      comparable(each, name === 'courier' && key === 'name' ? 'name of courier' : key),
    ]),
  )
}

/** The normalized answer to a call. */
export interface Said {
  readonly call: string
  readonly status: number
  /** Whether the X-Request-Id of the request was echoed, or both are absent. */
  readonly isEchoed: boolean
  readonly body: unknown
}

async function fetchAnswer(
  { port, token: ownToken }: Started,
  shot: Shot,
  token = ownToken,
): Promise<Said> {
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
  return {
    call: `${method} ${path} ${body ?? ''}`.replaceAll(uuid, 'an id'),
    status: response.status,
    isEchoed: response.headers.get('x-request-id') === (requestId ?? null),
    body: text === '' ? undefined : comparable(JSON.parse(text)),
  }
}

async function collectAnswers(server: Started, probe: Probe): Promise<readonly Said[]> {
  const answers: Said[] = []
  await probe({
    call: async (shot, token) => {
      answers.push(await fetchAnswer(server, shot, token))
    },
    calm: async () => {
      await ask(server.child, 'calm', {})
    },
    create: (count) => ask(server.child, 'create', { count }),
  })
  await server.stop()
  return answers
}

/** The first difference between the answers, as a sentence; undefined when there is none. */
export function differenceOf(hand: readonly Said[], ours: readonly Said[]): string | undefined {
  for (let index = 0; index < Math.max(hand.length, ours.length); index++) {
    const [one, other] = [hand[index], ours[index]]
    if (!isDeepStrictEqual(one, other))
      return `${(one ?? other)?.call} was answered ${JSON.stringify(one)} by hand, and ${JSON.stringify(other)} by us`
  }
  return undefined
}

/** Throws when the two servers answer differently. */
export async function sameAnswers(bench: Bench, extra: Extra, probe: Probe): Promise<void> {
  const [hand, ours] = await Promise.all(
    (['hand', 'ours'] as const).map(async (side) =>
      collectAnswers(await startServer(bench, `${side}-${extra}`), probe),
    ),
  )
  const difference = differenceOf(hand ?? [], ours ?? [])
  if (difference !== undefined) throw new Error(difference)
}
