/** The sender of the product: a session that plays the Ordering Application and pushes its events to the sink. */
import { serveIpc } from '../ipc.ts'
import { loadBuiltLibrary } from '../built-library.ts'
import { createOrderSource } from '../documents.ts'
import { ordersCapabilityOnly } from '../servers/our-session.ts'
import { measureCpu } from '../servers/process-usage.ts'

export interface OurSenderOptions {
  readonly root: string
  readonly orders: string
  readonly port: number
}

const { root, orders: file, port } = JSON.parse(process.argv[2] ?? '{}') as OurSenderOptions
const { openSession } = await loadBuiltLibrary(root)
const nextOrder = createOrderSource(file)
const session = await openSession({
  port: 0,
  ...ordersCapabilityOnly,
  subject: { role: 'software-service', url: `http://127.0.0.1:${port}` },
  counterparts: { 'ordering-application': { channel: 'webhook' } },
  conduct: { manifest: 'trust' },
})
const orderIds: string[] = []
let onWebhookReply: (accepted: boolean) => void = () => undefined
session.onExchange(({ operation, reply }) => {
  if (operation === 'receiveOrderEvent') onWebhookReply(reply?.status === 204)
})

async function emit(orderId: string): Promise<void> {
  const eventType = 'PREPARATION_REQUESTED'
  const decision = await session.submit({ kind: 'event.emit', orderId, eventType })
  if (!decision.ok) throw new Error(decision.error.message)
}

/** Emits the next event when one was answered, so that `atOnce` are always in flight. */
function send(count: number, atOnce: number): Promise<{ readonly taken: number }> {
  return new Promise((resolve, reject) => {
    let begun = 0
    let ended = 0
    let accepted = 0
    const next = (): void => {
      if (begun >= count) return
      emit(orderIds[begun++ % orderIds.length] ?? '').catch(reject)
    }
    onWebhookReply = (isAccepted) => {
      ended++
      if (isAccepted) accepted++
      if (ended === count) resolve({ taken: accepted })
      else next()
    }
    for (let begin = 0; begin < atOnce; begin++) next()
  })
}

serveIpc(
  {
    usage: measureCpu,
    async create({ count }) {
      let announced = 0
      const all = new Promise<void>((resolve) => {
        onWebhookReply = () => {
          if (++announced === count) resolve()
        }
      })
      for (let made = 0; made < count; made++) {
        const order = nextOrder()
        const decision = await session.submit({ kind: 'order.create', order })
        if (!decision.ok) throw new Error(decision.error.message)
        orderIds.push(order.id)
      }
      await all
      return orderIds
    },
    send: ({ count, atOnce }) => send(count, atOnce),
    async stop() {
      await session.close()
      return {}
    },
  },
  { port: 0, token: '' },
)
