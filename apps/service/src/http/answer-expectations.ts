import type { Server } from 'node:http';

/** Answers what a sender expects of the server (RFC 9110 section 10.1.1). */
export function answerExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    // Behind an answer that is still under way Node would put the interim one into the middle of this one.
    if (response.socket) response.writeContinue();
    server.emit('request', request, response);
  });
  // Any other expectation may be ignored. Node would refuse it, with an answer that is no problem.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
