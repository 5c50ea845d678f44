/** Preloaded into another mock server, so that its CPU can be queried over IPC. */
import { answer } from '../asks.ts'
import { usage } from '../servers/report.ts'

answer({ usage, calm: () => ({}), stop: () => ({}) }, { port: 0, token: '' })
