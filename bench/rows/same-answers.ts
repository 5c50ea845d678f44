/**
 * Whether two servers say the same to the same calls: without that, what they cost could not be compared. Ids, instants
 * and whatever chance decides may differ; statuses, codes, amounts, and the fields that there are may not.
 */
import { isDeepStrictEqual } from 'node:util'
import { ask } from '../asks.ts'
import type { Started } from '../children.ts'
import type { Shot } from '../load/jobs.ts'
import type { Bench } from '../row.ts'
import { type Extra, startServer } from './serving.ts'

export interface Probing {
  readonly call: (shot: Shot, token?: string) => Promise<void>
  /** Waits for the effects of what was accepted. */
  readonly calm: () => Promise<void>
  /** Makes what the calls are about. */
  readonly create: (count: number) => Promise<readonly string[]>
}

export type Probe = (probing: Probing) => Promise<void>

/** What chance decides, and sentences, which each writes in its own way. */
const free: ReadonlySet<string> = new Set([
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
const here = /^http:\/\/127\.0\.0\.1:\d+/

/** A value with whatever may differ taken out of it. */
export function comparable(value: unknown, name = ''): unknown {
  if (free.has(name)) return typeof value
  if (typeof value === 'string') {
    if (instant.test(value)) return 'an instant'
    return value.replace(here, 'here').replaceAll(uuid, 'an id')
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

/** What a call was answered. */
export interface Said {
  readonly call: string
  readonly status: number
  /** Its X-Request-Id came back, if it had one. */
  readonly isEchoed: boolean
  readonly body: unknown
}

async function heard({ port, token: own }: Started, shot: Shot, token = own): Promise<Said> {
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

async function saidBy(server: Started, probe: Probe): Promise<readonly Said[]> {
  const said: Said[] = []
  await probe({
    call: async (shot, token) => {
      said.push(await heard(server, shot, token))
    },
    calm: async () => {
      await ask(server.child, 'calm', {})
    },
    create: (count) => ask(server.child, 'create', { count }),
  })
  await server.stop()
  return said
}

/** The first answer in which the two differ, as a sentence; undefined when they say the same. */
export function differenceOf(hand: readonly Said[], ours: readonly Said[]): string | undefined {
  for (let index = 0; index < Math.max(hand.length, ours.length); index++) {
    const [one, other] = [hand[index], ours[index]]
    if (!isDeepStrictEqual(one, other))
      return `${(one ?? other)?.call} was answered ${JSON.stringify(one)} by hand, and ${JSON.stringify(other)} by us`
  }
  return undefined
}

/** Fails when the two do not say the same. */
export async function sameAnswers(bench: Bench, extra: Extra, probe: Probe): Promise<void> {
  const [hand, ours] = await Promise.all(
    (['hand', 'ours'] as const).map(async (who) =>
      saidBy(await startServer(bench, `${who}-${extra}`), probe),
    ),
  )
  const difference = differenceOf(hand ?? [], ours ?? [])
  if (difference !== undefined) throw new Error(difference)
}
