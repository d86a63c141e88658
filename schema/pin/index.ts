import './pin-posts.ts';
import './pin.ts';
import './pins.ts';
