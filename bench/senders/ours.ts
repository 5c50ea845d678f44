/** The product's webhooks: a session that plays the Ordering Application and pushes its events to the sink. */
import { answer } from '../asks.ts'
import { built } from '../built.ts'
import { createPress } from '../documents.ts'
import { ordersAlone } from '../servers/our-session.ts'
import { usage } from '../servers/report.ts'

export interface OurSenderOptions {
  readonly root: string
  readonly orders: string
  readonly port: number
}

const { root, orders: file, port } = JSON.parse(process.argv[2] ?? '{}') as OurSenderOptions
const { openSession } = await built(root)
const press = createPress(file)
const session = await openSession({
  port: 0,
  ...ordersAlone,
  subject: { role: 'software-service', url: `http://127.0.0.1:${port}` },
  counterparts: { 'ordering-application': { channel: 'webhook' } },
  conduct: { manifest: 'trust' },
})
const orderIds: string[] = []
let onTaken: (taken: boolean) => void = () => undefined
session.onExchange(({ operation, reply }) => {
  if (operation === 'receiveOrderEvent') onTaken(reply?.status === 204)
})

async function emit(orderId: string): Promise<void> {
  const eventType = 'PREPARATION_REQUESTED'
  const decision = await session.submit({ kind: 'event.emit', orderId, eventType })
  if (!decision.ok) throw new Error(decision.error.message)
}

/** The next is emitted as soon as one was answered, so that so many are always under way. */
function send(count: number, atOnce: number): Promise<{ readonly taken: number }> {
  return new Promise((resolve, reject) => {
    let begun = 0
    let ended = 0
    let taken = 0
    const next = (): void => {
      if (begun >= count) return
      emit(orderIds[begun++ % orderIds.length] ?? '').catch(reject)
    }
    onTaken = (isTaken) => {
      ended++
      if (isTaken) taken++
      if (ended === count) resolve({ taken })
      else next()
    }
    for (let begin = 0; begin < atOnce; begin++) next()
  })
}

answer(
  {
    usage,
    async create({ count }) {
      let announced = 0
      const all = new Promise<void>((resolve) => {
        onTaken = () => {
          if (++announced === count) resolve()
        }
      })
      for (let made = 0; made < count; made++) {
        const order = press()
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
