/** Parses a seek target: `1812`, `#1812`, `+90s`, `12:03`, `12:03:10.5`, or an ISO 8601 instant. */
import { err, ok, type Result } from '../../protocol/result.ts'
import type { SeekTarget } from '../../session-api/playback.ts'

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export function parseSeek(text: string): Result<SeekTarget, string> {
  const line = text.trim()
  const number = /^#?(\d{1,15})$/.exec(line)
  if (number) return ok({ kind: 'seq', seq: Number(number[1]) })
  const after = /^\+(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(line)
  if (after) return ok({ kind: 'after', ms: Number(after[1]) * (unitMs[after[2] ?? ''] ?? 0) })
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d{1,3})?))?$/.exec(line)
  if (clock) {
    const [, hours, minutes, seconds = '0'] = clock
    return ok({
      kind: 'clock',
      ms: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
    })
  }
  const at = /^\d{4}-\d\d-\d\dT/.test(line) ? Date.parse(line) : Number.NaN
  if (!Number.isNaN(at)) return ok({ kind: 'time', at })
  return err('a number, +90s, 12:03:10, or an instant such as 2026-11-22T12:03:10Z')
}
