/** Parses the pace of a replay from `--speed`, `--rate`, `--max-gap` and `--timing`. */
import { compact } from '../../compact.ts'
import type { PlaybackPace } from '../../engine/playback/pace.ts'
import { problem } from '../../problem.ts'
import { parseDurationArgument } from '../parse-duration-argument.ts'
import type { ReplayFlags } from './flags.ts'

function speedOf(text: string): Pick<PlaybackPace, 'mode' | 'speed'> {
  if (text === 'original' || text === 'asap') return { mode: text }
  const [, number = ''] = /^(\d+(?:\.\d+)?)x?$/.exec(text) ?? []
  const speed = Number(number)
  if (speed > 0 && speed <= 1_000_000) return { mode: 'original', speed }
  throw problem('reading --speed', `"${text}" is no speed`, 'Write original, asap, 2x or 0.5x.')
}

export function parseReplayPace(flags: ReplayFlags): PlaybackPace {
  const { speed, rate, timing } = flags
  if (speed !== undefined && rate !== undefined)
    throw problem('reading --rate', 'a rate and a speed exclude each other', 'Leave out one.')
  const gap = flags['max-gap']
  return {
    ...(rate === undefined ? speedOf(speed ?? 'original') : { mode: 'rate', perSecond: rate }),
    ...(gap === undefined ? {} : { maxGapMs: parseDurationArgument(gap, 'reading --max-gap') }),
    ...compact({ timing }),
  }
}
