/** All handlers, by the name that the catalogue's rows refer to. */
import { authHandlers } from './auth/handlers.ts'
import { customerHandlers } from './customer/handlers.ts'
import { discoveryHandlers } from './discovery/handlers.ts'
import type { HandlerName } from '../protocol/catalogue.ts'
import type { CommandHandler, OperationHandler, ViewHandler } from './handler.ts'
import { indoorHandlers } from './indoor/handlers.ts'
import { logisticsHandlers } from './logistics/handlers.ts'
import { loyaltyHandlers } from './loyalty/handlers.ts'
import { eventHandlers } from './orders/event-handlers.ts'
import { orderHandlers } from './orders/handlers.ts'
import { v1Handlers } from './v1/handlers.ts'

const handlers = {
  ...discoveryHandlers,
  ...authHandlers,
  ...orderHandlers,
  ...eventHandlers,
  ...indoorHandlers,
  ...logisticsHandlers,
  ...customerHandlers,
  ...loyaltyHandlers,
  ...v1Handlers,
} satisfies Record<HandlerName<'command'>, CommandHandler> &
  Record<HandlerName<'view'>, ViewHandler>

/** The handler of a row; a row whose handler is missing, or of the other kind, is a type error above. */
export const handlerOf = (name: HandlerName): OperationHandler => handlers[name]

/** The names of all handlers. */
export const handlerNames = Object.keys(handlers)
