/** Every handler, by the name under which the catalogue's rows call for it. */
import { authHandlers } from './auth/handlers.ts'
import { customerHandlers } from './customer/handlers.ts'
import { discoveryHandlers } from './discovery/handlers.ts'
import type { Handler, Handlers } from './handler.ts'
import { indoorHandlers } from './indoor/handlers.ts'
import { logisticsHandlers } from './logistics/handlers.ts'
import { loyaltyHandlers } from './loyalty/handlers.ts'
import { eventHandlers } from './orders/event-handlers.ts'
import { orderHandlers } from './orders/handlers.ts'
import { v1Handlers } from './v1/handlers.ts'

const handlers: Handlers = {
  ...discoveryHandlers,
  ...authHandlers,
  ...orderHandlers,
  ...eventHandlers,
  ...indoorHandlers,
  ...logisticsHandlers,
  ...customerHandlers,
  ...loyaltyHandlers,
  ...v1Handlers,
}

export function handlerOf(name: string): Handler {
  const handler = handlers[name]
  if (!handler) throw new Error(`nothing stands behind ${name}`)
  return handler
}
