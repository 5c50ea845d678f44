/**
 * Validates what a program gives to a session, and the command that results from editing an agenda item: an invalid one
 * would crash the session when it comes due, long after the edit.
 */
import type { z } from 'zod'
import { type Command, CommandBody } from '../../engine/command.ts'
import { type Refusal, refuse } from '../../engine/refusal.ts'
import type { World } from '../../engine/world.ts'
import { problem } from '../../base/problem.ts'
import { ClockChange } from '../../session-api/session-info.ts'
import { checkSchema, schemaErrorsText } from '../files/schema-errors.ts'
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

/** Throws a problem where a program gives no clock: the world would stand still, or run away. */
export function checkClockChange(change: unknown): void {
  const checked = checkSchema(ClockChange, change, 'the change')
  if (!checked.ok) throw problem('setting the clock', schemaErrorsText(checked.error), '')
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
