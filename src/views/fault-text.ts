/** Short texts of fault and pause facts and commands. */
import type { FaultCommand } from '../engine/faults/command.ts'
import type { Distortion } from '../engine/faults/distortion.ts'
import type { FaultFact } from '../engine/faults/fact.ts'
import type { PauseCommand, PauseFact } from '../engine/pauses/pause.ts'
import { formatDuration } from '../protocol/duration.ts'
import { assertNever } from '../protocol/result.ts'

const endTexts = {
  hang: 'no answer',
  reset: 'connection reset',
  truncate: 'truncated',
  'slow-body': 'in pieces',
} as const

/** Text of a distortion of a message. */
export function distortionText(distortion: Distortion): string {
  const { effect, reply, change, headers, afterMs, end } = distortion
  const parts = [
    ...(reply ? [String(reply.status)] : []),
    ...(end ? [endTexts[end]] : []),
    ...(afterMs === undefined ? [] : [`after ${formatDuration(afterMs)}`]),
    ...(change ? [`its body changed: ${change.kind}`] : []),
    ...(headers ? [`its headers changed: ${Object.keys(headers).join(', ')}`] : []),
  ]
  return `${parts.join(', ')}${effect ? '' : ', without effect'}`
}

const bracketed = (text: string | undefined): string => (text === undefined ? '' : ` (${text})`)

export function faultFactText(fact: FaultFact): string {
  switch (fact.kind) {
    case 'fault.added':
      return `fault ${fact.fault.id} is active: ${fact.fault.text}${bracketed(fact.fault.idle)}`
    case 'fault.removed':
      return `fault ${fact.id} is ${fact.because}`
    case 'fault.fired':
      return `${fact.text ?? fact.name} on ${fact.on}${fact.distortion ? `: ${distortionText(fact.distortion)}` : ''}`
    case 'fault.passed':
      return `fault ${fact.id} lets one pass`
    case 'fault.ended':
      return 'the end of faults'
    default:
      return assertNever(fact)
  }
}

export function faultCommandText(command: FaultCommand): string {
  switch (command.kind) {
    case 'fault.add':
      return `a fault: ${JSON.stringify(command.spec)}`
    case 'fault.remove':
      return `fault ${command.id} ends`
    case 'fault.end':
      return 'all faults end'
    case 'fault.meet':
      return `a message meets the faults: ${command.meeting.operation}`
    default:
      return assertNever(command)
  }
}

const waiting = { answer: 'an answer', call: 'a call', subject: 'your service' } as const

export const pauseCommandText = (command: PauseCommand): string =>
  command.kind === 'pause.begin'
    ? `${command.text ?? waiting[command.whose]} waits ${formatDuration(command.ms)}`
    : `${command.text ?? waiting[command.whose]} goes on`

export const pauseFactText = ({ whose }: PauseFact): string => `${waiting[whose]} goes on`
