/**
 * A command: a request to change the world. An HTTP request, a key press, a scenario step and a due agenda item all
 * become commands. Each kind is a row in the commands of its room.
 */
import { z } from 'zod'
import { Duration, formatDuration } from '../protocol/duration.ts'
import { agendaCommands } from './agenda/commands.ts'
import { authCommands } from './auth/commands.ts'
import { callCommands } from './calls/commands.ts'
import { type CommandIn, type CommandRow, commandSchema, type References } from './command-row.ts'
import { customerCommands } from './customer/commands.ts'
import { faultCommands } from './faults/commands.ts'
import { indoorCommands } from './indoor/commands.ts'
import { logisticsCommands } from './logistics/commands.ts'
import { loyaltyCommands } from './loyalty/commands.ts'
import { orderCommands } from './orders/commands.ts'
import { eventCommands } from './orders/event-commands.ts'
import { ticketCommands } from './orders/ticket-commands.ts'
import { pauseCommands } from './pauses/commands.ts'
import { playbackCommands } from './playback/commands.ts'
import { sessionCommands } from './session/commands.ts'
import { v1Commands } from './v1/commands.ts'

/** Plans a command by hand. */
const planRow: CommandRow<{ readonly command: Command; readonly afterMs: number }> = {
  shape: () => ({ command: z.lazy(() => CommandBody), afterMs: Duration }),
  text: ({ command, afterMs }, references) =>
    `${commandText(command, references)} in ${formatDuration(afterMs)}`,
}

/** All kinds of commands, in the order of the control API's description. */
export const commandRows = {
  ...sessionCommands,
  'agenda.plan': planRow,
  ...agendaCommands,
  ...orderCommands,
  ...eventCommands,
  ...ticketCommands,
  ...authCommands,
  ...callCommands,
  ...indoorCommands,
  ...logisticsCommands,
  ...customerCommands,
  ...loyaltyCommands,
  ...v1Commands,
  ...faultCommands,
  ...pauseCommands,
  ...playbackCommands,
}

export type Command = CommandIn<typeof commandRows>

export type CommandOf<Kind extends Command['kind']> = Extract<Command, { readonly kind: Kind }>

const rowOf = ({ kind }: Command): CommandRow<Command> => commandRows[kind] as CommandRow<Command>

/** Short text of a command, for agenda rows and refusals. */
export const commandText = (command: Command, references: References): string =>
  rowOf(command).text(command, references)

/** Order id of a command. */
export function orderIdOfCommand(command: Command, references: References): string | undefined {
  const row = rowOf(command)
  if (row.orderId) return row.orderId(command, references)
  return 'orderId' in command ? command.orderId : undefined
}

/** A command as a request body. */
export const CommandBody: z.ZodType<Command> = z.lazy(() => commandSchema(commandRows))
