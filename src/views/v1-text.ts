/** Short texts of V1 facts and commands. */
import type { V1Command } from '../engine/v1/command.ts'
import type { V1Fact } from '../engine/v1/fact.ts'
import { assertNever } from '../protocol/result.ts'

export function v1FactText(fact: V1Fact): string {
  switch (fact.kind) {
    case 'handshake.offered':
      return `SS is asked whether the order may be cancelled: ${fact.code}`
    case 'handshake.answered':
      return `SS has answered about cancelling: ${fact.answer}`
    case 'legacy.heard':
      return `SS keeps ${fact.eventType} of V1`
    default:
      return assertNever(fact)
  }
}

export function v1CommandText(command: V1Command): string {
  switch (command.kind) {
    case 'handshake.offer':
      return 'OA asks whether it may cancel'
    case 'handshake.answer':
      return `whether it may be cancelled: ${command.answer}`
    case 'legacy.answer':
      return `SS answers about cancelling: ${command.answer}`
    default:
      return assertNever(command)
  }
}
