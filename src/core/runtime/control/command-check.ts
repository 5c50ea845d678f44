/**
 * Validates the command that results from editing an agenda item: an invalid one would crash the session when it comes
 * due, long after the edit.
 */
import type { z } from 'zod'
import { type Command, CommandBody } from '../../engine/command.ts'
import { type Refusal, refuse } from '../../engine/refusal.ts'
import type { World } from '../../engine/world.ts'
import { ok, type Result } from '../../protocol/result.ts'

/** The path in a command and what is wrong there. */
function issueText({ issues: [issue] }: z.ZodError, kind: string): string {
  return `${issue?.path.join('.') || kind}: ${issue?.message}`
}

/**
 * Validates a command of a program, whose types may be absent or wrong: it would break the world, and not the call that
 * brought it.
 */
export function checkCommand(command: Command): Result<Command, Refusal> {
  const parsed = CommandBody.safeParse(command)
  return parsed.success
    ? ok(command)
    : refuse('UNPROCESSABLE', `this is no command: ${issueText(parsed.error, 'it')}`)
}

export function checkAgendaEdit(command: Command, world: World): Result<Command, Refusal> {
  if (command.kind !== 'agenda.edit') return ok(command)
  const item = world.agenda.byId.get(command.id)
  if (!item) return ok(command)
  const parsed = CommandBody.safeParse({ ...item.command, ...command.change })
  if (parsed.success) return ok(command)
  return refuse(
    'UNPROCESSABLE',
    `item ${item.id} cannot be edited so: ${issueText(parsed.error, item.command.kind)}`,
  )
}
