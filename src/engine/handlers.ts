/** Every handler, by the name under which the catalogue's rows call for it. */
import { authHandlers } from './auth/handlers.ts'
import { discoveryHandlers } from './discovery/handlers.ts'
import type { Handler, Handlers } from './handler.ts'
import { eventHandlers } from './orders/event-handlers.ts'
import { orderHandlers } from './orders/handlers.ts'

const handlers: Handlers = {
  ...discoveryHandlers,
  ...authHandlers,
  ...orderHandlers,
  ...eventHandlers,
}

export function handlerOf(name: string): Handler {
  const handler = handlers[name]
  if (!handler) throw new Error(`nothing stands behind ${name}`)
  return handler
}
