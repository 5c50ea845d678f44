// Answers every request with a 204 and a body, as some frameworks do.
import { createServer } from 'node:net'

createServer((socket) => {
  socket.on('error', () => undefined)
  socket.on('data', () => {
    socket.write('HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n\r\n{"ok":true}')
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
