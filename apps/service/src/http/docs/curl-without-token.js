const place = ['headers', 'Authorization'];

/** The command to copy names the token instead of showing it: commands are pasted into tickets and chats. */
export function curlWithoutToken({ createElement }) {
  return (Curl) => (properties) => {
    const { request } = properties;
    const shown = request.hasIn(place) ? request.setIn(place, 'Bearer TOKEN') : request;
    return createElement(Curl, { ...properties, request: shown });
  };
}
