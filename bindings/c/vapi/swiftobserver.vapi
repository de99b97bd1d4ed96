// SPDX-License-Identifier: MIT
// The C interface for Vala: valac --pkg swiftobserver. What each function means stands in swiftobserver.h.
[CCode (cheader_filename = "swiftobserver.h", lower_case_cprefix = "swo_", cprefix = "SWO_")]
namespace Swo {
    [CCode (cname = "swo_status", has_type_id = false)]
    [SimpleType]
    [IntegerType (rank = 6)]
    public struct Status : int {
        [CCode (cname = "swo_status_text")]
        public unowned string to_string ();
    }
    [CCode (cname = "SWO_OK")]
    public const Status OK;
    [CCode (cname = "SWO_INVALID_ARGUMENT")]
    public const Status INVALID_ARGUMENT;
    [CCode (cname = "SWO_WRONG_KIND")]
    public const Status WRONG_KIND;
    [CCode (cname = "SWO_NOT_FOUND")]
    public const Status NOT_FOUND;
    [CCode (cname = "SWO_CALLBACK_FAILED")]
    public const Status CALLBACK_FAILED;
    [CCode (cname = "SWO_REFUSED")]
    public const Status REFUSED;

    // The bool of C, of one byte: that of Vala is a gboolean.
    [CCode (cname = "bool", has_type_id = false)]
    [BooleanType]
    [SimpleType]
    public struct Truth {
    }

    // Borrows texts; what get() fills is ended by clear().
    [CCode (cname = "swo_value", has_type_id = false)]
    [SimpleType]
    public struct Value {
        public int32 kind;
    }
    public static Value null ();
    public static Value bool (Truth boolean);
    public static Value int64 (int64 number);
    public static Value double (double number);
    public static Value text (string text);
    [CCode (cname = "swo_value_clear")]
    public static void clear (Value* value);
    [CCode (cname = "swo_value_bool")]
    public static Status get_bool (Value* value, out Truth boolean);
    [CCode (cname = "swo_value_int64")]
    public static Status get_int64 (Value* value, out int64 number);
    [CCode (cname = "swo_value_double")]
    public static Status get_double (Value* value, out double number);
    // A zero follows only in copies: take `size` bytes.
    [CCode (cname = "swo_value_text")]
    public static Status get_text (Value* value, out unowned string text, out size_t size);
    [CCode (cname = "swo_value_update")]
    public static Status get_update (Value* value, out Value* old_value, out Value* new_value);

    [CCode (cname = "swo_handler", instance_pos = 0)]
    public delegate void Handler ([CCode (type = "const swo_value*")] Value* message, [CCode (type = "const void*")] void* author);
    [CCode (cname = "swo_predicate", instance_pos = 0)]
    public delegate Truth Predicate ([CCode (type = "const swo_value*")] Value* message);
    [CCode (cname = "swo_mapper", instance_pos = 0)]
    public delegate Status Mapper ([CCode (type = "const swo_value*")] Value* message, Value* result);

    [CCode (cname = "swo_observation", has_type_id = false)]
    [SimpleType]
    [IntegerType (rank = 11)]
    public struct Observation : uint64 {
        [CCode (cname = "swo_stop")]
        public Status stop ();
        [CCode (cname = "swo_stop_and_wait")]
        public Status stop_and_wait ();
        [CCode (cname = "swo_is_living")]
        public Truth is_living ();
    }

    [Compact]
    [CCode (cname = "swo_observer", ref_function = "swo_observer_retain", unref_function = "swo_observer_release")]
    public class Observer {
        [CCode (cname = "swo_observer_new")]
        public Observer ();
        [CCode (cname = "swo_observer_stop")]
        public Status stop (Observable? observable = null);
        [CCode (cname = "swo_observer_stop_and_wait")]
        public Status stop_and_wait ();
        [CCode (cname = "swo_observer_count")]
        public size_t count ();
    }

    [Compact]
    [CCode (cname = "swo_queue", ref_function = "swo_queue_retain", unref_function = "swo_queue_release")]
    public class Queue {
        [CCode (cname = "swo_queue_new")]
        public static Status create (size_t bound, int32 policy, out Queue queue);
        [CCode (cname = "swo_queue_fd")]
        public int fd ();
        [CCode (cname = "swo_queue_drain")]
        public Status drain (size_t most = 0, out size_t count = null);
    }

    [Compact]
    [CCode (cname = "swo_observable", ref_function = "swo_observable_retain", unref_function = "swo_observable_release")]
    public class Observable {
        [CCode (cname = "swo_messenger_new")]
        public Observable.messenger ();
        [CCode (cname = "swo_variable_new")]
        public static Status variable (Value* initial, out Observable variable);
        [CCode (cname = "swo_send")]
        public Status send (Value* message, void* author = null);
        [CCode (cname = "swo_variable_set")]
        public Status set (Value* value, void* author = null);
        [CCode (cname = "swo_variable_get")]
        public Status get (Value* value);
        [CCode (cname = "swo_observe")]
        public Status observe (Observer? observer, [CCode (delegate_target_pos = 2.1, destroy_notify_pos = 2.2)] owned Handler handler, out Observation observation = null);
        [CCode (cname = "swo_observe_on_queue")]
        public Status observe_on_queue (Observer? observer, Queue queue, [CCode (delegate_target_pos = 3.1, destroy_notify_pos = 3.2)] owned Handler handler, out Observation observation = null);
        [CCode (cname = "swo_map")]
        public Status map ([CCode (delegate_target_pos = 1.1, destroy_notify_pos = 1.2)] owned Mapper mapper, out Observable mapped);
        [CCode (cname = "swo_filter")]
        public Status filter ([CCode (delegate_target_pos = 1.1, destroy_notify_pos = 1.2)] owned Predicate predicate, out Observable filtered);
        [CCode (cname = "swo_new_values")]
        public Status new_values (out Observable values);
        [CCode (cname = "swo_observable_count")]
        public size_t count ();
    }
}
