/** Short texts of playback facts and commands. */
import type { PlaybackCommand } from '../engine/playback/command.ts'
import type { PlaybackFact } from '../engine/playback/fact.ts'
import { assertNever } from '../protocol/result.ts'

const counted = (count: number): string => `${count} recorded exchange${count === 1 ? '' : 's'}`

export function playbackCommandText(command: PlaybackCommand): string {
  switch (command.kind) {
    case 'playback.load':
      return `${counted(command.rows.length)} to be played again`
    case 'playback.send':
      return command.label
    case 'playback.conclude':
      return `a recorded exchange comes out ${command.standing}`
    default:
      return assertNever(command)
  }
}

export function playbackFactText(fact: PlaybackFact): string {
  switch (fact.kind) {
    case 'playback.loaded':
      return `${counted(fact.rows.length)} loaded, ${fact.ready.length} of them ready`
    case 'playback.sent':
      return `${fact.label} goes out${fact.alone ? ' alone' : fact.again ? ' once more' : ''}`
    case 'playback.concluded':
      return `${fact.label}: ${fact.standing}${fact.note === undefined ? '' : `, ${fact.note}`}`
    default:
      return assertNever(fact)
  }
}
