/** Preloaded into another mock server, so that its CPU can be queried over IPC. */
import { serveIpc } from '../ipc.ts'
import { measureCpu } from '../servers/process-usage.ts'

serveIpc({ usage: measureCpu, calm: () => ({}), stop: () => ({}) }, { port: 0, token: '' })
