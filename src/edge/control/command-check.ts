/**
 * Validates the command that results from editing an agenda item: an invalid one would crash the session when it comes
 * due, long after the edit.
 */
import type { Command } from '../../engine/command.ts'
import { type Refusal, refuse } from '../../engine/refusal.ts'
import type { World } from '../../engine/world.ts'
import { ok, type Result } from '../../protocol/result.ts'
import { CommandBody } from './commands.ts'

export function checkAgendaEdit(command: Command, world: World): Result<Command, Refusal> {
  if (command.kind !== 'agenda.edit') return ok(command)
  const item = world.agenda.byId.get(command.id)
  if (!item) return ok(command)
  const parsed = CommandBody.safeParse({ ...item.command, ...command.change })
  if (parsed.success) return ok(command)
  const issue = parsed.error.issues[0]
  return refuse(
    'UNPROCESSABLE',
    `item ${item.id} cannot be edited so: ${issue?.path.join('.') || item.command.kind}: ${issue?.message}`,
  )
}
