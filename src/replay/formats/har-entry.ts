/** Converts a HAR entry of any dialect to an exchange. */
import {
  instantFromValue,
  isRecordableInstant,
  recordableDurationMs,
} from '../../core/traffic/date-time.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { parseHarFailure, parseHarReply, parseHarRequest } from '../../core/traffic/har-message.ts'
import { unknownParties } from './foreign-exchange.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'

const phases = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'] as const
/** Phases until the request was sent, and until the response began. */
const phasesBeforeSent = phases.slice(0, 4)
const phasesBeforeReply = phases.slice(0, 5)

function sumOf(timings: UnknownRecord, names: readonly string[]): number {
  let sum = 0
  for (const name of names) {
    const value = timings[name]
    // -1 means not applicable.
    if (typeof value === 'number' && value > 0) sum += value
  }
  return sum
}

const nonNegative = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

export interface HarEntryOptions {
  /** In ms since 1970, for an entry without a valid `startedDateTime`. */
  readonly fallbackStartedAt: number
  readonly warn: (remark: string) => void
}

export function exchangeFromHarEntry(
  entry: UnknownRecord,
  { fallbackStartedAt: otherwise, warn }: HarEntryOptions,
): Omit<Exchange, 'seq'> {
  const parsedStart = instantFromValue(entry['startedDateTime'])
  const startedAt =
    parsedStart !== undefined && isRecordableInstant(parsedStart) ? parsedStart : undefined
  if (startedAt === undefined) warn('it does not say when it began: the one before it is taken')
  const timings = isUnknownRecord(entry['timings']) ? entry['timings'] : undefined
  if (!timings) warn('it has no timings')
  const total = recordableDurationMs(
    nonNegative(entry['time']) ?? (timings ? sumOf(timings, phases) : 0),
  )
  const request = parseHarRequest(entry['request'], warn)
  if (request.url === '') warn('it has no URL')
  const reply = parseHarReply(entry['response'], warn)
  const sentMs = timings && Math.min(total, sumOf(timings, phasesBeforeSent))
  const repliedMs = timings && Math.min(total, sumOf(timings, phasesBeforeReply))
  return {
    startedAt: startedAt ?? otherwise,
    tookMs: total,
    ...(sentMs === undefined || sentMs === 0 ? {} : { sentMs }),
    ...(repliedMs === undefined || repliedMs === total || !reply ? {} : { repliedMs }),
    ...unknownParties,
    request,
    ...(reply ? { reply } : { failure: parseHarFailure(entry) }),
  }
}
