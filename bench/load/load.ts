/** The load generator: a separate process, so that its cost is never counted as the server's. */
import { serveIpc } from '../ipc.ts'
import { fireRequests } from './fire.ts'
import { runOrderLives } from './order-lives.ts'
import { runRequestMix } from './mix.ts'

serveIpc(
  {
    fire: ({ target, shots }) => fireRequests(target, shots),
    live: ({ target, orderIds }) => runOrderLives(target, orderIds),
    mix: ({ target, orderIds, count, perSecond }) =>
      runRequestMix(target, orderIds, count, perSecond),
    stop: () => ({}),
  },
  { port: 0, token: '' },
)
