/** The load generator: a separate process, so that its cost is never counted as the server's. */
import { answer } from '../asks.ts'
import { fire } from './fire.ts'
import { live } from './live.ts'
import { mix } from './mix.ts'

answer(
  {
    fire: ({ target, shots }) => fire(target, shots),
    live: ({ target, orderIds }) => live(target, orderIds),
    mix: ({ target, orderIds, count }) => mix(target, orderIds, count),
    stop: () => ({}),
  },
  { port: 0, token: '' },
)
