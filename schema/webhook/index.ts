import './render-body.ts';
import './replay-webhooks.ts';
import './selection.ts';
import './webhook-delivery.ts';
import './webhook-endpoint.ts';
import './webhooks.ts';
import './write-webhook-endpoints.ts';
